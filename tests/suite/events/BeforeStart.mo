// run: stop=2 ; check: y(0)=1 ; check: u(0)=1 ; check: y(1.5)=0 ; check: v(0.2)=1 ; check: closed(0.2)=1 ; check: closed(1)=0 ; check: n(2)=1
model BeforeStart "`pre(u)` is an unknown of the initial problem of its own where `u = y` (MLS 8.6)"
  Boolean y, u, v(start = true, fixed = true), closed = v;
  Integer n(start = 0, fixed = true);
initial equation
  y = true;
  pre(u) = false;
  pre(closed) = v;
equation
  when sample(1, 2) then
    y = not pre(y);
  end when;
  u = y;
  when time > 0.5 then
    v = not pre(v);
  end when;
  when not u then
    n = pre(n) + 1;
  end when;
end BeforeStart;
