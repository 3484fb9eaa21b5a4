// run: stop=3 tolerance=1e-9 ; check: v(0.5)=1±1e-9 ; check: v(2)=-2±1e-9 ; check: x(3)=-4±1e-7
model ReinitGuardedStatement "As in an equation, so in an algorithm"
  Real x(start = -1, fixed = true), v(start = 1, fixed = true);
algorithm
  when x >= 0 then
    if v > 0 then
      reinit(v, -2);
    else
      reinit(v, 5);
    end if;
  end when;
equation
  der(x) = v;
  der(v) = 0;
end ReinitGuardedStatement;
