// run: stop=1 tolerance=1e-9 ; check: x(1)=3±1e-8 ; check: y(1)=6±1e-8
model ReinitGuardedAtStart "At the start `reinit` is an initial equation, of several branches the one that holds"
  parameter Boolean low = false;
  Real x(start = 0), y(start = 0);
equation
  der(x) = 1;
  der(y) = 1;
  when initial() then
    if low then
      reinit(x, 1);
      reinit(y, 4);
    else
      reinit(x, 2);
      reinit(y, 5);
    end if;
  end when;
end ReinitGuardedAtStart;
