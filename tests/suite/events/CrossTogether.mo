// run: stop=100.5 ; check: n(end)=100±0 ; check: apart(end)=0±0 ; effort: state_events=100
// run: stop=100.5 method=rk4 step=0.1 ; check: n(end)=100±0 ; check: apart(end)=0±0 ; effort: state_events=100
// run: stop=100.5 method=radau ; check: n(end)=100±0 ; check: apart(end)=0±0 ; effort: state_events=100
// run: stop=100.5 method=esdirk ; check: n(end)=100±0 ; check: apart(end)=0±0 ; effort: state_events=100
model CrossTogether "What crosses at the same instant, but for round-off, is one event"
  // All three reach their next mark at t = 1, 2, 3, …
  Real x(start = 0, fixed = true), y(start = 1, fixed = true), z(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
  Integer apart(start = 0, fixed = true);
equation
  der(x) = 0.7;
  der(y) = -1000/3;
  der(z) = 7e-4;
  when x >= 0.7*(pre(n) + 1) then
    n = pre(n) + 1;
  end when;
  when y <= 1 - 1000/3*(pre(m) + 1) then
    m = pre(m) + 1;
  end when;
  when z >= 7e-4*(pre(k) + 1) then
    k = pre(k) + 1;
  end when;
  when n <> m or m <> k then
    apart = pre(apart) + 1;
  end when;
end CrossTogether;
