model call_for_effect "A function that is called for what it does sees the present, also at events that nothing else sees"
  function check
    input Real a, b;
  algorithm
    assert(abs(a - b) < 1e-6, "the arguments are of different times");
  end check;
  Real clock(start = 0, fixed = true), twice = 2*clock;
  Integer count(start = 0, fixed = true);
  Real gate = if count > 7 then 1.0 else 0.0;
equation
  der(clock) = 1;
  when sample(0.05, 0.1) then
    count = pre(count) + 1;
  end when;
  check(2*time + gate, twice + gate);
end call_for_effect;
