// run: stop=20.05 ; check: y(end)=19.105±1e-9 ; check: n(end)=200±0 ; check: late(end)=0±0 ; check: after(end)=0±0
// run: stop=20.05 method=bdf ; check: n(end)=200±0 ; check: late(end)=0±0 ; check: after(end)=0±0
// run: stop=20.05 method=rk4 step=0.04 ; check: n(end)=200±0 ; check: late(end)=0±0 ; check: after(end)=0±0
model MeetsTickThatActs "As MeetsTick, where the tick changes the motion, and relations change at zero or beyond it"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), late(start = 0, fixed = true);
  Integer k(start = 0, fixed = true), after(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = -3;
  // In two seconds y rises by 1.9 + 0.1*0.1, and 0.1*0.05 are left at the end.
  der(y) = if mod(m, 20) == 0 then 0.1 else 1;
  when x > 0.1*(pre(n) + 1) then
    n = pre(n) + 1;
  end when;
  when z <= -0.3*(pre(k) + 1) then
    k = pre(k) + 1;
  end when;
  when sample(0.1, 0.1) then
    m = pre(m) + 1;
    late = pre(late) + (if n == m then 0 else 1);
    after = pre(after) + (if k == m then 0 else 1);
  end when;
end MeetsTickThatActs;
