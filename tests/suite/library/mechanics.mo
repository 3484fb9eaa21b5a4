package mechanics "Drive trains and bodies with closed forms"
  import R = Kairos.Mechanics.Rotational;
  import T = Kairos.Mechanics.Translational;
  constant Real pi = 2*acos(0);

  model TorsionalPendulum "phi = cos(wt), w^2 = c/J; sensors"
    R.Parts.Fixed wall(phi0=0.5);
    R.Parts.Spring spring(c=8, phi0=-0.5);
    R.Sensors.TorqueSensor torque;
    R.Sensors.PowerSensor power;
    R.Parts.Inertia wheel(J=2, phi(start=1));
    R.Sensors.AngleSensor angle;
    R.Sensors.SpeedSensor speed;
    Real error_phi = angle.phi - cos(2*time);
    Real error_w = speed.w + 2*sin(2*time);
    Real error_tau = torque.tau + 8*cos(2*time);
    Real error_power = power.power - torque.tau*speed.w;
  equation
    connect(wall.flange, spring.flange_a);
    connect(spring.flange_b, torque.flange_a);
    connect(torque.flange_b, power.flange_a);
    connect(power.flange_b, wheel.flange_a);
    connect(wheel.flange_b, angle.flange);
    connect(wheel.flange_b, speed.flange);
  end TorsionalPendulum;

  model Spinning "constant torque and signal torque against dampers"
    R.Sources.ConstantTorque constant_(tau=3);
    R.Sources.Torque signal(tau=2*time);
    R.Parts.Inertia a(J=0.5), b(J=4);
    R.Parts.Damper damper(d=0.25);
    R.Parts.Fixed wall;
    Real error_a = a.w - 12*(1 - exp(-time/2));
    Real error_b = b.w - time^2/4;
    Real error_loss = damper.lossPower - 0.25*a.w^2;
  equation
    connect(constant_.flange, a.flange_a);
    connect(a.flange_b, damper.flange_a);
    connect(damper.flange_b, wall.flange);
    connect(signal.flange, b.flange_a);
  end Spinning;

  model ElasticShaft
    "two wheels on an elastic shaft: they swing against each other; momentum is conserved"
    R.Parts.Inertia a(J=1, w(start=3)), b(J=2);
    R.Parts.SpringDamper shaft(c=6, d=0);
    Real error_momentum = a.w + 2*b.w - 3;
    Real error_twist = shaft.phi_rel + sin(3*time)
      "reduced inertia 2/3, w^2 = 9, rate -3 at the start";
  equation
    connect(a.flange_b, shaft.flange_a);
    connect(shaft.flange_b, b.flange_a);
  end ElasticShaft;

  model Geared "a gear between two wheels: tau = (J1 + J2/n^2) a"
    R.Sources.ConstantTorque drive(tau=6);
    R.Parts.Inertia motor(J=1), load(J=8, phi(fixed=false), w(fixed=false));
    R.Parts.IdealGear gear(ratio=2);
    R.Parts.Belt belt(ra=0.1, rb=0.3);
    R.Parts.Inertia drum(J=9, phi(fixed=false), w(fixed=false));
    Real error_motor = motor.w - 6/(1 + 2 + 1)*time "8/2^2 = 2 and 9/3^2 = 1";
    Real error_load = load.w - motor.w/2;
    Real error_drum = drum.w - motor.w/3;
  equation
    connect(drive.flange, motor.flange_a);
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, load.flange_a);
    connect(motor.flange_b, belt.flange_a);
    connect(belt.flange_b, drum.flange_a);
  end Geared;

  model GearLosses
    "driving and braking through a gear of efficiency 0.8 (as accept case `gear_losses`)"
    R.Sources.Torque drive(tau=if time < 1 then 1.5 else -1.5);
    R.Parts.Inertia motor(J=0.01), load(J=2, phi(fixed=false), w(fixed=false));
    R.Parts.LossyGear gear(ratio=10, eta=0.8);
    Real error_loss = gear.lossPower
      - (1 - (if gear.forward then 0.8 else 1/0.8))*gear.flange_a.tau*gear.w;
  equation
    connect(drive.flange, motor.flange_a);
    connect(motor.flange_b, gear.flange_a);
    connect(gear.flange_b, load.flange_a);
  end GearLosses;

  model RackDriven "torque on a pinion moves a mass: (J + m r^2) a = tau"
    R.Sources.ConstantTorque drive(tau=1);
    R.Parts.Inertia motor(J=0.3);
    R.Parts.Pinion pinion(r=0.1);
    T.Parts.Mass mass(m=20, s(fixed=false), v(fixed=false));
    Real error_s = mass.s - 0.1*time^2 "alpha = 1/(0.3 + 0.2) = 2";
  equation
    connect(drive.flange, motor.flange_a);
    connect(motor.flange_b, pinion.rotation);
    connect(pinion.translation, mass.flange_a);
  end RackDriven;

  model Braked "a brake stops a wheel in J w/tau = 1 s and holds it against half its torque"
    R.Parts.Inertia wheel(J=2, w(start=3));
    R.Parts.Brake brake(tauMax=12, u=if time < 0.5 then 0 else 0.5);
    R.Sources.Torque pull(tau=if time < 2 then 0 else if time < 3 then 4 else 8);
    Real error_w = wheel.w
      - (if time < 0.5 then 3 else if time < 1.5 then 3*(1.5 - time) else if time < 3 then 0
        else time - 3);
  equation
    connect(wheel.flange_b, brake.flange_a);
    connect(brake.flange_b, pull.flange);
  end Braked;

  model BearingStarts
    "a ramp of torque breaks a bearing loose at peak tau0 = 1.5; then it slides with tau0 = 1"
    R.Sources.Torque drive(tau=time);
    R.Parts.Inertia wheel(J=1);
    R.Parts.Bearing bearing(tau0=1, peak=1.5);
    Real error_w = wheel.w - (if time < 1.5 then 0 else (time^2 - 1.5^2)/2 - (time - 1.5));
  equation
    connect(drive.flange, wheel.flange_a);
    connect(wheel.flange_b, bearing.flange_a);
  end BearingStarts;

  model Clutched "a clutch joins two wheels: they reach the common speed of momentum conservation"
    R.Parts.Inertia a(J=1, w(start=6)), b(J=2);
    R.Parts.Clutch clutch(tauMax=4, u=if time < 1 then 0 else 1);
    Real heat(start=0, fixed=true);
    Real error_a = a.w - (if time < 1 then 6 else max(2, 6 - 4*(time - 1)));
    Real error_b = b.w - (if time < 1 then 0 else min(2, 2*(time - 1)));
    Real error_energy = heat + a.w^2/2 + b.w^2 - 18;
  equation
    connect(a.flange_b, clutch.flange_a);
    connect(clutch.flange_b, b.flange_a);
    der(heat) = clutch.lossPower;
  end Clutched;

  model Freewheeling "the driving wheel brakes; the driven one runs on"
    R.Sources.Torque drive(tau=if time < 1 then 6 else -2);
    R.Parts.Inertia a(J=1), b(J=2);
    R.Parts.OneWayClutch clutch;
    Real error_a = a.w - (if time < 1 then 2*time else 2 - 2*(time - 1));
    Real error_b = b.w - min(2*time, 2);
  equation
    connect(drive.flange, a.flange_a);
    connect(a.flange_b, clutch.flange_a);
    connect(clutch.flange_b, b.flange_a);
  end Freewheeling;

  model TwistedToStop
    "free flight to an elastic stop and back: half a period of sqrt(c/J) in the stop"
    R.Parts.Inertia wheel(J=1, w(start=2));
    R.Parts.ElasticStop stop(c=100, phiMin=-5, phiMax=1);
    R.Parts.Fixed wall;
    Real error_w = wheel.w
      - (if time < 0.5 then 2 else if time < 0.5 + pi/10 then 2*cos(10*(time - 0.5)) else -2);
  equation
    connect(wall.flange, stop.flange_a);
    connect(stop.flange_b, wheel.flange_a);
  end TwistedToStop;

  model Belted
    "an elastic belt drags a wheel: slipping first with the greatest force, together at last"
    R.Parts.Inertia a(J=1, w(start=10)), b(J=1);
    R.Parts.ElasticBelt belt(ra=0.2, rb=0.2, c=5e4, d=2e3, fMax=20);
    Real heat(start=0, fixed=true);
    Real error_early = if time < 1 then b.w - 4*time else 0 "0.2*20 = 4";
    Real error_late = if time > 2 then b.w - 5 else 0;
    Real error_energy = heat + a.w^2/2 + b.w^2/2 + belt.c*belt.stretch^2/2 - 50;
  equation
    connect(a.flange_b, belt.flange_a);
    connect(belt.flange_b, b.flange_a);
    der(heat) = belt.lossPower;
  end Belted;

  model PrescribedSpeeds "speed sources"
    R.Sources.Speed w(w=2*time);
    R.Parts.Inertia wheel(J=3, phi(fixed=false), w(fixed=false));
    T.Sources.Speed v(v=cos(time));
    T.Parts.Mass mass(m=2, s(fixed=false), v(fixed=false));
    Real error_torque = w.flange.tau + 6;
    Real error_phi = wheel.phi - time^2;
    Real error_force = v.flange.f - 2*sin(time);
    Real error_s = mass.s - sin(time);
  equation
    connect(w.flange, wheel.flange_a);
    connect(v.flange, mass.flange_a);
  end PrescribedSpeeds;

  model SpringMass "s = cos(wt) round the rest position, with gravity; sensors"
    T.Parts.Fixed wall;
    T.Parts.Spring spring(c=8, s0=1);
    T.Sensors.ForceSensor force;
    T.Parts.Mass mass(m=2, g=2, s(start=2.5));
    T.Sensors.PositionSensor position;
    T.Sensors.SpeedSensor speed;
    Real error_s = position.s - 1.5 - cos(2*time);
    Real error_v = speed.v + 2*sin(2*time);
    Real error_f = force.f + 8*(mass.s - 1);
  equation
    connect(wall.flange, spring.flange_a);
    connect(spring.flange_b, force.flange_a);
    connect(force.flange_b, mass.flange_a);
    connect(mass.flange_b, position.flange);
    connect(mass.flange_b, speed.flange);
  end SpringMass;

  model DampedMass "critically damped: s = (1 + t) exp(-t)"
    T.Parts.Mass a(m=1, s(start=1)), b(m=2);
    T.Parts.SpringDamper spring(c=1, d=2);
    T.Parts.Damper damper(d=4);
    T.Parts.Fixed wall;
    T.Sources.ConstantForce force(f=8);
    Real error_a = a.s - (1 + time)*exp(-time);
    Real error_b = b.v - 2*(1 - exp(-2*time));
  equation
    connect(wall.flange, spring.flange_a);
    connect(spring.flange_b, a.flange_a);
    connect(wall.flange, damper.flange_a);
    connect(damper.flange_b, b.flange_a);
    connect(force.flange, b.flange_b);
  end DampedMass;

  model StickingBlock "a ramp of force starts a block; without force it slides to rest"
    T.Sources.Force force(f=if time < 3 then time else 0);
    T.Parts.Mass sled(m=1);
    T.Parts.Friction friction(f0=1, peak=2);
    T.Parts.Fixed ground;
    T.Parts.Brake brake(fMax=1, u=0);
    Real error_v = sled.v
      - (if time < 2 then 0 else if time < 3 then (time^2 - 4)/2 - (time - 2) else if time < 4.5
        then 1.5 - (time - 3) else 0);
  equation
    connect(force.flange, sled.flange_a);
    connect(sled.flange_b, friction.flange_b);
    connect(friction.flange_a, ground.flange);
    connect(brake.flange_a, ground.flange);
    connect(brake.flange_b, sled.flange_b);
  end StickingBlock;

  model BrakedMass "a linear brake"
    T.Parts.Mass mass(m=2, v(start=3));
    T.Parts.Brake brake(fMax=12, u=if time < 0.5 then 0 else 0.5);
    T.Parts.Fixed ground;
    Real error_v = mass.v - (if time < 0.5 then 3 else max(0, 3*(1.5 - time)));
  equation
    connect(mass.flange_b, brake.flange_b);
    connect(brake.flange_a, ground.flange);
  end BrakedMass;

  model HitsElasticStop "half a period of sqrt(c/m) in the stop"
    T.Parts.Mass mass(m=1, v(start=2));
    T.Parts.ElasticStop stop(c=100, sMin=-5, sMax=1);
    T.Parts.Fixed wall;
    Real error_v = mass.v
      - (if time < 0.5 then 2 else if time < 0.5 + pi/10 then 2*cos(10*(time - 0.5)) else -2);
  equation
    connect(wall.flange, stop.flange_a);
    connect(stop.flange_b, mass.flange_a);
  end HitsElasticStop;

  model BouncesAndRests
    "the ball of the accept case `bouncing_ball_rest`; then a force lifts it off"
    T.Parts.MassBetweenStops ball(m=2, g=-9.81, e=0.7, vRest=0.05, s(start=1));
    T.Sources.Force lift(f=if time < 4 then 0 else 3*9.81);
    Real error_end = if time > 4 then ball.v - 9.81/2*(time - 4) else 0;
  equation
    connect(lift.flange, ball.flange_a);
  end BouncesAndRests;

  model Row "the three bodies of the accept case `collision_chain`"
    T.Parts.CollidingBodies bodies(
      n=3,
      m={2, 1, 3},
      e=0.8,
      s(start={0, 1, 1.5}),
      v(start={3, 0, -0.5}));
    Real error_momentum = bodies.m*bodies.v - 4.5;
  end Row;

  model Squeezed
    "two bodies hit the one between them at the same instant: left pair first, then the right one"
    T.Parts.CollidingBodies bodies(n=3, m={1, 1, 1}, e=1, s(start={-1, 0, 1}), v(start={1, 0, -2}));
    T.Parts.CollidingBodies both(n=3, m={1, 1, 1}, e=1, s(start={-1, 0, 1}), v(start={1, 0, -1}));
    Real error_momentum = sum(bodies.v) + 1;
    Real error_energy = bodies.v*bodies.v - 5;
    Real error_both = both.v*both.v - 2;
    Real error_left = if time > 1.5 then both.v[1] + 1 else 0;
  end Squeezed;

  model RigidImpact
    "restitution between two bodies by a change of structure (accept case `newton_collision_dae`)"
    T.Parts.Mass a(m=1, v(start=2)), b(m=2, s(start=1), v(start=-0.5));
    T.Parts.RigidContact contact(e=0.6);
    Real error_momentum = a.v + 2*b.v - 1;
    Real error_a = a.v - (if time < 0.4 then 2 else -2/3);
    Real error_b = b.v - (if time < 0.4 then -0.5 else 5/6);
  equation
    connect(a.flange_b, contact.flange_a);
    connect(contact.flange_b, b.flange_a);
  end RigidImpact;

  model PlasticImpact "two bodies stay together: v = (m1 v1 + m2 v2)/(m1 + m2)"
    T.Parts.Mass a(m=1, v(start=2)), b(m=3, s(start=1), v(start=-2));
    T.Parts.RigidContact contact(sticks=true);
    Real error_a = a.v - (if time < 0.25 then 2 else -1);
    Real error_gap = if time > 0.25 then a.s - b.s else 0;
  equation
    connect(a.flange_b, contact.flange_a);
    connect(contact.flange_b, b.flange_a);
  end PlasticImpact;

  model HitsRigidStop
    "a driven mass stops dead at a wall (accept case `power_window_endstop`) and is pulled off later"
    T.Parts.Mass mass(m=5);
    T.Parts.RigidStop stop(sMax=0.45);
    T.Parts.Damper damper(d=20);
    T.Parts.Fixed ground;
    T.Sources.Force drive(f=if time < 2 then 9.6 else -9.6);
    parameter Real hit = 1.185318116594073 "0.48 (t - (1 - exp(-4 t))/4) = 0.45";
    Real error_v = mass.v
      - (if time < hit then 0.48*(1 - exp(-4*time)) else if time < 2 then 0
        else -0.48*(1 - exp(-4*(time - 2))));
  equation
    connect(drive.flange, mass.flange_a);
    connect(mass.flange_b, stop.flange_a);
    connect(mass.flange_b, damper.flange_a);
    connect(damper.flange_b, ground.flange);
  end HitsRigidStop;

  model TwistHitsRigidStop "a wheel driven against a stop stands, and leaves when the torque turns round"
    R.Sources.Torque drive(tau=if time < 3 then 1 else -1);
    R.Parts.Inertia wheel(J=1);
    R.Parts.RigidStop stop(phiMax=2);
    R.Parts.Fixed wall;
    Real error_w = wheel.w - (if time < 2 then time else if time < 3 then 0 else 3 - time);
  equation
    connect(wall.flange, stop.flange_a);
    connect(stop.flange_b, wheel.flange_a);
    connect(drive.flange, wheel.flange_b);
  end TwistHitsRigidStop;
end mechanics;
