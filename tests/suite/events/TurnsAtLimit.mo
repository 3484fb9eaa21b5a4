// run: stop=50.05 ; check: beyond(end)=0±0 ; check: x(end)=0.05±1e-9
// run: stop=50.05 method=bdf ; check: beyond(end)=0±0
// run: stop=50.05 method=rk4 step=0.03 ; check: beyond(end)=0±0
model TurnsAtLimit "A motion that turns at a limit just when it comes there is never beyond it"
  Real x(start = 0, fixed = true) "a triangle between 0 and 0.1";
  Integer s(start = 1, fixed = true), beyond(start = 0, fixed = true);
equation
  der(x) = s;
  when sample(0.1, 0.1) then
    s = -pre(s);
  end when;
  when x > 0.1 then
    beyond = pre(beyond) + 1;
  end when;
end TurnsAtLimit;
