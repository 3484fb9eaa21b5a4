// run: stop=2.9 tolerance=1e-8 ; check: y(1.2)=0 ; check: y(1.3)=1 ; check: y(1.7)=1 ; check: y(1.8)=0 ; check: y(2.3)=1 ; check: q(2.9)=1±1e-9 ; effort: state_events=0 time_events=9
model DelayedSteps "What jumps into a delay jumps out of it at an instant that is computed"
  Integer n(start = 0, fixed = true);
  Real x = mod(n, 2);
  Integer y = integer(delay(x, 0.75));
  Real q(start = 0, fixed = true);
equation
  when sample(0.5, 0.5) then
    n = pre(n) + 1;
  end when;
  der(q) = y;
end DelayedSteps;
