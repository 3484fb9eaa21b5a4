// run: stop=2 tolerance=1e-10 ; check: z(1)=0±1e-9 ; check: z(end)=-0.06175393±1e-4 ; effort: state_events<=14
model MaskedRelation "A relation that switches fast where nobody reads it sleeps, and is right when it is read again"
  Real x(start = 0, fixed = true) "sin(4e6*time) at first, then sin(399.999 + 10*time)";
  Real v(start = 1, fixed = true);
  Real z(start = 0, fixed = true) "From 1 on the integral of the sign of x: (264*pi - 829.998)/10 at 2";
  Real w = if time < 1e-4 then 4e6 else 10;
  Boolean on(start = false, fixed = true);
equation
  der(x) = w*v;
  der(v) = -w*x;
  when time >= 1 then
    on = true;
  end when;
  der(z) = if on then (if x > 0 then 1 else -1) else 0;
end MaskedRelation;
