package blocks "Signals with closed forms"
  import B = Kairos.Blocks;
  constant Real pi = 2*acos(0);

  model SourcesOfSignals
    B.Sources.Constant constant_(k=3);
    B.Sources.Step step(height=2, offset=1, startTime=0.5);
    B.Sources.Ramp ramp(height=4, duration=2, offset=-1, startTime=1);
    B.Sources.Sine sine(amplitude=2, f=0.5, phase=0.3, offset=1, startTime=0.25);
    B.Sources.Pulse pulse(amplitude=5, period=0.5, width=0.4, offset=1, startTime=0.2);
    B.Sources.Sawtooth saw(amplitude=2, period=0.8, offset=1, startTime=0.3);
    B.Sources.Clock clock;
    B.Sources.BooleanConstant yes;
    B.Sources.BooleanStep later(startTime=2, startValue=true);
    B.Sources.BooleanPulse train(period=1, width=0.25, startTime=0.1);
    B.Sources.BooleanTable changes(instants={0.3, 0.9, 2.2});
    B.Sources.TimeTable table(table= [0, 1; 1, 3; 2, -1]);
    Real area_pulse(start=0, fixed=true), area_train(start=0, fixed=true), area_changes(
      start=0,
      fixed=true), area_saw(start=0, fixed=true);
    Real error_constant = constant_.y - 3;
    Real error_step = step.y - (if time < 0.5 then 1 else 3);
    Real error_ramp = ramp.y - max(-1, min(3, 2*time - 3));
    Real error_sine = sine.y - (if time < 0.25 then 1 else 1 + 2*sin(pi*(time - 0.25) + 0.3));
    Real error_clock = clock.y - time;
    Real error_yes = if yes.y then 0 else 1;
    Real error_later = (if later.y then 1 else 0) - (if time < 2 then 1 else 0);
    Real error_table = table.y
      - (if time < 1 then 1 + 2*time else if time < 2 then 3 - 4*(time - 1) else -1);
  equation
    der(area_pulse) = pulse.y;
    der(area_train) = if train.y then 1 else 0;
    der(area_changes) = if changes.y then 1 else 0;
    der(area_saw) = saw.y;
  end SourcesOfSignals;

  model Maths
    B.Math.Gain gain(k=-2, u=time);
    B.Math.Add add(k1=2, k2=-1, u1=time, u2=5);
    B.Math.Feedback feedback(u1=time, u2=4);
    B.Math.Sum sum3(n=3, k={1, 2, -1}, u={time, 1, 3});
    B.Math.Product product(u1=time, u2=1 + time);
    B.Math.Division division(u1=time, u2=1 + time);
    B.Math.Abs magnitude(u=1 - time);
    B.Math.Min least(u1=time, u2=1);
    B.Math.Max greatest(u1=time, u2=1);
    Real error_gain = gain.y + 2*time;
    Real error_add = add.y - (2*time - 5);
    Real error_feedback = feedback.y - (time - 4);
    Real error_sum = sum3.y - (time - 1);
    Real error_product = product.y - time - time^2;
    Real error_division = division.y*(1 + time) - time;
    Real error_abs = magnitude.y - (if time < 1 then 1 - time else time - 1);
    Real error_minmax = least.y + greatest.y - time - 1;
    Real error_min = least.y - (if time < 1 then time else 1);
  end Maths;

  model ContinuousBlocks
    B.Continuous.Integrator integrator(k=2, u=cos(time), y(start=1));
    B.Continuous.LimitedIntegrator limited(yMax=1, yMin=-0.5, u=if time < 2 then 1 else -1);
    B.Continuous.Derivative derivative(k=3, T=0.5, u=time);
    B.Continuous.FirstOrder first(k=2, T=0.5, u=1);
    B.Continuous.SecondOrder second(k=2, w=3, D=0, u=1);
    B.Continuous.SecondOrder critical(k=1, w=2, D=1, u=1);
    B.Continuous.PI pi_(k=2, Ti=0.5, u=1);
    B.Continuous.TransferFunction lag(b={2, 3}, a={1, 3, 2}, u=1);
    B.Continuous.TransferFunction gain(b={6}, a={2}, u=time);
    B.Continuous.StateSpace swing(A= [0, 1; -4, 0], B= [0; 4], C= [1, 0; 0, 1], u={1});
    Real error_integrator = integrator.y - 1 - 2*sin(time);
    Real error_limited = limited.y
      - (if time < 1 then time else if time < 2 then 1 else max(-0.5, 3 - time));
    Real error_derivative = derivative.y - 3*(1 - exp(-2*time));
    Real error_first = first.y - 2*(1 - exp(-2*time));
    Real error_second = second.y - 2*(1 - cos(3*time));
    Real error_critical = critical.y - (1 - (1 + 2*time)*exp(-2*time));
    Real error_pi = pi_.y - 2 - 4*time;
    Real error_lag = lag.y - (1.5 - exp(-time) - 0.5*exp(-2*time)) "(2s + 3)/((s + 1)(s + 2)) 1/s";
    Real error_gain = gain.y - 3*time;
    Real error_swing = swing.y[1] - (1 - cos(2*time));
    Real error_rate = swing.y[2] - 2*sin(2*time);
  end ContinuousBlocks;

  model AntiWindup
    "a limited PI loop round an integrator: saturated until the error is small, no overshoot from windup"
    B.Continuous.LimitedPID control(k=10, Ti=1, Td=0, yMax=1, yMin=-1);
    B.Continuous.LimitedPID damped(k=4, Ti=1e9, Td=1, Tf=1e-4, yMax=100, yMin=-100);
    B.Continuous.Integrator plant, motion, speed;
    Real error_ramp = if time < 0.95 then plant.y - time else 0;
    Real error_end = if time > 6 then plant.y - 1 else 0;
    Real overshoot = max(0, plant.y - 1.1);
    Real error_damped = motion.y - (1 - (1 + 2*time)*exp(-2*time)) "k = w^2 = 4, k Td = 2 D w = 4";
  equation
    control.reference = 1;
    connect(control.measured, plant.y);
    connect(control.y, plant.u);
    damped.reference = 1;
    connect(damped.measured, motion.y);
    connect(damped.y, speed.u);
    connect(speed.y, motion.u);
  end AntiWindup;

  model Characteristics
    Real u = 2*sin(time);
    B.Nonlinear.Limiter limiter(uMin=-1, uMax=1.5, u=u);
    B.Nonlinear.DeadZone zone(uMin=-1, uMax=0.5, u=u);
    B.Nonlinear.Hysteresis hysteresis(uLow=-1, uHigh=1, u=u);
    B.Nonlinear.Backlash play(b=2, u=u);
    B.Nonlinear.Relay relay(yOn=3, yOff=-2, u=u);
    Real error_limiter = limiter.y - min(1.5, max(-1, u));
    Real error_zone = zone.y - (u - min(0.5, max(-1, u)));
    Real area_hysteresis(start=0, fixed=true), area_relay(start=0, fixed=true);
    Real error_play = play.y
      - (if time < pi/6 then 0 else if time < pi/2 then u - 1 else if time < pi then 1
        else if time < 3*pi/2 then u + 1 else if time < 2*pi then -1 else u - 1);
  equation
    der(area_hysteresis) = if hysteresis.y then 1 else 0;
    der(area_relay) = relay.y;
  end Characteristics;

  model SampledBlocks "at t = 0.1 k + 0.05 the samples 0 to k are in"
    B.Discrete.Sampler sampler(u=time);
    B.Discrete.ZeroOrderHold hold(u=time^2, period=0.2);
    B.Discrete.UnitDelay delayed(u=time);
    B.Discrete.PI pi_(k=2, Ti=0.5, u=1);
    B.Discrete.PID pid(k=2, Ti=0.5, Td=0.2, reference=1, measured=time, yMax=3.5);
    B.Discrete.StateSpace fibonacci(
      A= [1, 1; 1, 0],
      B= [1; 0],
      C= [1, 0],
      u={if time < 0.05 then 1 else 0});
  end SampledBlocks;

  model LogicBlocks
    Boolean a = time >= 1 and time < 3, b = time >= 2;
    B.Logical.And both(u1=a, u2=b);
    B.Logical.Or one(u1=a, u2=b);
    B.Logical.Xor either(u1=a, u2=b);
    B.Logical.Not no(u=a);
    B.Logical.Greater greater(u1=time, u2=1.5);
    B.Logical.GreaterThreshold above(u=time, threshold=2.5);
    B.Logical.LessThreshold below(u=time, threshold=2.5);
    B.Logical.Switch choice(u1=time, u2=-1, choose=b);
    B.Logical.Edge edges(u=a <> b);
    B.Logical.Timer timer(u=a);
    B.Logical.OnDelay lasting(u=a, delayTime=0.5);
    B.Logical.Latch latch(set=a, reset=time > 3.5);
    Real n(start=0, fixed=true)
      "area of 1*both + 2*one + 4*either + 8*no + 16*greater + 32*above + 64*below + 128*lasting + 256*latch";
    Real error_choice = choice.y - (if time < 2 then -1 else time);
    Real error_timer = timer.y - (if time < 1 then 0 else if time < 3 then time - 1 else 0);
  equation
    der(n) = (if both.y then 1 else 0) + (if one.y then 2 else 0) + (if either.y then 4 else 0)
      + (if no.y then 8 else 0) + (if greater.y then 16 else 0) + (if above.y then 32 else 0)
      + (if below.y then 64 else 0) + (if lasting.y then 128 else 0) + (if latch.y then 256 else 0);
  end LogicBlocks;

  model Characteristic "tables"
    B.Tables.Table1D line(table= [0, 1; 1, 3; 3, -1], u=4*time - 0.5);
    B.Tables.Table2D plane(x1={0, 1, 2}, x2={0, 2}, table={{0, 2}, {1, 3}, {2, 4}}, u1=2*time, u2=1)
      "y = x1 + x2";
    Real error_line = line.y
      - (if line.u < 0 then 1 else if line.u < 1 then 1 + 2*line.u else if line.u < 3 then 3
        - 2*(line.u - 1) else -1);
    Real error_plane = plane.y - 2*time - 1;
  end Characteristic;
end blocks;
