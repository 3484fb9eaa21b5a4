package Crowd "Parts that have nothing to do with each other"
  model Plant
    Real x[20](each start = 0, each fixed = true);
  equation
    der(x[1]) = sin(time) - x[1];
    for i in 2:20 loop
      der(x[i]) = 10*(x[i - 1] - x[i]);
    end for;
  end Plant;

  model PlantBesideSampler
    extends Plant;
    Real y(start = 0, fixed = true);
    Integer k(start = 0, fixed = true);
  equation
    when sample(0, 1e-3) then
      k = mod(pre(k)*1103 + 12345, 65536);
      y = 0.9*pre(y) + k/65536;
    end when;
  end PlantBesideSampler;

  model Watched "A sampler that reads the plant through an algebraic loop; nothing reads it"
    Real x(start = 1, fixed = true), v(start = 0, fixed = true), a, b;
    discrete Real held(start = 0, fixed = true), last(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -x;
    a + b = 2*x;
    a - 3*b = v;
    when sample(0, 0.01) then
      held = a;
      last = pre(held);
      n = pre(n) + 1;
    end when;
  end Watched;

  model Controlled "The plant sees the controller, but only when its result changes"
    Real x(start = 0, fixed = true);
    Integer level(start = 0, fixed = true), looks(start = 0, fixed = true);
  equation
    der(x) = level - x;
    when sample(0, 0.1) then
      looks = pre(looks) + 1;
      level = if time > 0.95 then 2 else 1;
    end when;
  end Controlled;

  model Planner "Plans its own events"
    parameter Integer step = 1103;
    Integer s(start = 1, fixed = true), k(start = 0, fixed = true);
    discrete Real next(start = 0.5, fixed = true);
  algorithm
    when time >= pre(next) then
      s := mod(pre(s)*step + 12345, 65536);
      k := pre(k) + 1;
      next := pre(next) + (1 + s)/65536/10;
    end when;
  end Planner;

  model Planners "Many planners, and one that two samplers share"
    Planner planner[5](step = {1103, 1105, 1107, 1109, 1111});
    Integer fast(start = 0, fixed = true), slow(start = 0, fixed = true), both(start = 0, fixed = true);
  equation
    when sample(0, 0.01) then
      fast = pre(fast) + 1;
    end when;
    when sample(0.005, 0.02) then
      slow = pre(slow) + 1;
    end when;
    when {change(fast), change(slow)} then
      both = pre(both) + 1;
    end when;
  end Planners;

  model Thresholds "A time event moves the threshold of a state event"
    Real x(start = 0, fixed = true);
    discrete Real threshold(start = 10, fixed = true);
    Integer passed(start = 0, fixed = true), whole(start = 0, fixed = true);
    Boolean above(start = false, fixed = true);
  equation
    der(x) = 1;
    above = x > threshold;
    when sample(0.55, 10) then
      threshold = 0.25;
    end when;
    when above then
      passed = pre(passed) + 1;
    end when;
    when integer(10*x) > pre(whole) then
      whole = integer(10*x);
    end when;
  end Thresholds;

  model Bouncing "Two that bounce on their own"
    Real h[2](start = {1, 2}, each fixed = true), v[2](each start = 0, each fixed = true);
    Integer hits[2](each start = 0, each fixed = true);
  equation
    for i in 1:2 loop
      der(h[i]) = v[i];
      der(v[i]) = -9.81;
      when h[i] <= 0 then
        reinit(v[i], -0.8*pre(v[i]));
        hits[i] = pre(hits[i]) + 1;
      end when;
    end for;
  end Bouncing;
end Crowd;
