// run: stop=1000.5 ; check: n(end)=1000±0 ; check: late(end)=0±0 ; check: last(end)=1000±0 ; effort: time_events<=1000 state_events<=1000
// run: stop=100.5 method=bdf ; check: n(end)=100±0 ; check: late(end)=0±0
// run: stop=100.5 method=esdirk ; check: n(end)=100±0 ; check: late(end)=0±0
// run: stop=100.5 method=radau ; check: n(end)=100±0 ; check: late(end)=0±0
// run: stop=100.5 method=rk4 step=0.1 ; check: n(end)=100±0 ; check: late(end)=0±0
// run: stop=100.5 method=euler step=0.3 ; check: n(end)=100±0 ; check: late(end)=0±0
model MeetsTick "What crosses at a tick, but for round-off, is one event with it"
  Real x(start=0, fixed=true) "is time";
  Integer n(start=0, fixed=true), m(start=0, fixed=true), late(start=0, fixed=true);
  discrete Real last(start=0, fixed=true);
equation
  der(x) = 1;
  // At t = 1, 2, 3, … both happen: the tick sees what has been counted at the same instant.
  when x >= pre(n) + 1 then
    n = pre(n) + 1;
  end when;
  when sample(1, 1) then
    m = pre(m) + 1;
    late = pre(late) + (if n == m then 0 else 1);
    last = time;
  end when;
end MeetsTick;
