// run: stop=10 tolerance=1e-9 method=bdf ; check: q(10)=2.3107210311919966±1e-6
model LimiterByBdf "A long step before an event says nothing about the first one after it"
  Real x = 2*sin(time), y = if x > 1 then 1 else if x < -1 then -1 else x;
  Real q(start = 0, fixed = true);
equation
  der(q) = y;
end LimiterByBdf;
