// run: stop=3.141592653589793 tolerance=1e-8 ; check: y(end)=2±1e-5 ; effort: state_events=0
model QuietArgument "noEvent around an argument holds when the function is written out"
  record State
    Real a, b;
  end State;
  function twice
    input State s;
    output Real y;
  algorithm
    y := 2*s.a + s.b;
    annotation(Inline = true);
  end twice;
  function state
    input Real a;
    output State s;
  algorithm
    s := State(a, 0);
    annotation(Inline = true);
  end state;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = -v;
  der(v) = x;
  der(y) = twice(state(noEvent(if x > 0 then x else 0)));
end QuietArgument;
