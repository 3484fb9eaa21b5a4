// run: stop=20 tolerance=1e-6 ; check: out(end)=0 ; check: left(end)=0 ; check: ticks(end)=20
// run: stop=5 tolerance=1e-8 method=radau ; check: out(end)=0 ; check: left(end)=0 ; check: ticks(end)=5
// run: stop=5 tolerance=1e-8 method=esdirk ; check: out(end)=0 ; check: left(end)=0 ; check: ticks(end)=5
model KeepsToCircle "What stays on its limit for ever leaves it neither by errors of integration nor when others ask"
  // The point goes round on the unit circle: its distance from there is zero all the time.
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Real asked(start = 0, fixed = true);
  Integer out(start = 0, fixed = true), left(start = 0, fixed = true), ticks(start = 0, fixed = true);
equation
  der(x) = -2*y;
  der(y) = 2*x;
  der(asked) = ticks;
  when x^2 + y^2 > 1 then
    out = pre(out) + 1;
  end when;
  when not x^2 + y^2 >= 1 then
    left = pre(left) + 1;
  end when;
  when sample(0.5, 1) then
    ticks = pre(ticks) + 1;
  end when;
end KeepsToCircle;
