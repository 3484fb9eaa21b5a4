package hydraulics "Hydraulic networks with closed forms"
  import H = Kairos.Hydraulics.Parts;
  import Kairos.Hydraulics.Interfaces.Level;

  model Filling "a pump fills a volume against a leak; sensors"
    H.Pump pump(q=2);
    H.Volume volume(C=0.5);
    H.Resistance leak(R=3);
    H.Tank tank(p0=1);
    H.PressureSensor pressure;
    H.FlowSensor flow_;
    Real error_p = pressure.p - 1 - 6*(1 - exp(-time/1.5)) + exp(-time/1.5) "starts at 0";
    Real error_q = flow_.y - (pressure.p - 1)/3;
  equation
    connect(pump.port, volume.port);
    connect(volume.port, flow_.port_a);
    connect(flow_.port_b, leak.port_a);
    connect(leak.port_b, tank.port);
    connect(volume.port, pressure.port);
  end Filling;

  model WaterHammer "a line between two pressures: q = dp t/I"
    H.PressureSource source(p=4);
    H.Line line(I=2);
    H.Tank tank;
    Real error_q = line.q - 2*time;
  equation
    connect(source.port, line.port_a);
    connect(line.port_b, tank.port);
  end WaterHammer;

  model Levels "the same valve in three levels of abstraction, through a resistance"
    H.PressureSource source(p=100);
    H.ControlValve detailed(
      level=Level.Detailed,
      qNominal=2,
      dpNominal=1,
      dpLaminar=1e-6,
      qLeak=0,
      T=1e-3), linear(Ropen=2, Rshut=1e6), ideal(level=Level.Ideal);
    H.Resistance r1(R=8), r2(R=8), r3(R=8);
    H.Tank tank;
    Boolean command = time >= 1 and time < 2;
    Real error_linear = r2.q - (if command then 10 else 100/(1e6 + 8));
    Real error_ideal = r3.q - (if command then 12.5 else 0);
    Real error_detailed = if time > 1.1 and time < 2 then 100 - 8*r1.q - (r1.q/2)^2 else 0;
    Real error_shut = if time < 1 or time > 2.1 then r1.q else 0;
  equation
    detailed.command = command;
    linear.command = command;
    ideal.command = command;
    connect(source.port, detailed.port_a);
    connect(source.port, linear.port_a);
    connect(source.port, ideal.port_a);
    connect(detailed.port_b, r1.port_a);
    connect(linear.port_b, r2.port_a);
    connect(ideal.port_b, r3.port_a);
    connect(r1.port_b, tank.port);
    connect(r2.port_b, tank.port);
    connect(r3.port_b, tank.port);
  end Levels;

  model Relieved "relief valves in three levels: the pressure of a pumped volume against time"
    H.Pump pump[3](each q=1);
    H.Volume volume[3](each C=1e-2, R={0, 0, 2});
    H.ReliefValve detailed(
      level=Level.Detailed,
      pOpen=50,
      pFull=60,
      qNominal=4,
      dpNominal=50,
      dpLaminar=1e-3,
      qLeak=0,
      T=1e-4);
    H.ReliefValve linear(pOpen=50, Ropen=10, Rshut=1e12), ideal(level=Level.Ideal, pOpen=50);
    H.Tank tank;
    Real error_rise = if time < 0.49 then (volume[1].p - 100*time)^2 + (volume[2].p - 100*time)^2
      else 0;
    Real error_linear = if time > 0.5 then volume[2].p - 50 - 10*(1 - exp(-(time - 0.5)/0.1))
      else 0;
    Real error_ideal = ideal.dp - min(50, 2 + 100*time) "behind an entrance of resistance 2";
    Real error_detailed = if time > 1.5 then detailed.q - 1 else 0;
    Real error_opening = if time > 1.5 then (detailed.dp - 50)/10*4*sqrt(detailed.dp/50) - 1 else 0
      "proportional opening passes the pump's flow";
  equation
    for i in 1:3 loop
      connect(pump[i].port, volume[i].port);
    end for;
    connect(volume[1].port, detailed.port_a);
    connect(volume[2].port, linear.port_a);
    connect(detailed.port_b, tank.port);
    connect(linear.port_b, tank.port);
    connect(volume[3].port, ideal.port_a);
    connect(ideal.port_b, tank.port);
  end Relieved;

  model OilSpring "a piston on shut-in oil: w = A/sqrt(m C)"
    H.Cylinder cylinder(A=2, m=4, C=0.25, v(start=1));
    Real error_v = cylinder.v - cos(2*time);
    Real error_p = cylinder.p + 4*sin(2*time);
  end OilSpring;

  model Driven "pressure drives an ideal cylinder against a load: m a = p A - f"
    H.PressureSource source(p=10);
    H.Cylinder cylinder(level=Level.Ideal, A=2, m=4);
    Kairos.Mechanics.Translational.Sources.ConstantForce load(f=-12);
    Real error_v = cylinder.v - 2*time;
    Real error_q = source.port.q + 2*cylinder.v;
  equation
    connect(source.port, cylinder.port);
    connect(cylinder.flange, load.flange);
  end Driven;

  model CylinderStops "the cylinder of the acceptance case `hydraulic_c0` from parts"
    H.Cylinder cylinder(A=1, m=1, C=1e-5, R=100, pStart=-1, v(start=-3.99));
    H.ControlValve control(Ropen=0.01, Rshut=1e7);
    H.BurstDisc relief(Ropen=0.01, Rshut=1e7, pBurst=1000);
    H.Line line(I=0.01);
    H.Tank supply(p0=-1), tank;
    Boolean open(start=true, fixed=true);
    Real f1 = -cylinder.v, f2 = line.q, p = cylinder.p, pc = cylinder.pOil;
  equation
    connect(cylinder.port, control.port_a);
    connect(control.port_b, supply.port);
    connect(cylinder.port, line.port_a);
    connect(line.port_b, relief.port_a);
    connect(relief.port_b, tank.port);
    control.command = open;
    when f1 >= 4 then
      open = false;
    end when;
  end CylinderStops;

  model CylinderStopsIdeal
    "ideal parts: the relief valve brakes the piston with pOpen plus the throttle, then everything stands"
    H.Cylinder cylinder(level=Level.Ideal, A=2, m=4, v(start=-3));
    H.ControlValve control(level=Level.Ideal);
    H.ReliefValve relief(level=Level.Ideal, pOpen=10);
    H.Resistance throttle(R=1);
    H.Tank tank;
    Real error_v = cylinder.v + (if time < 1 then 3 else max(0, 8*exp(-(time - 1)) - 5))
      "4 v' = 2 (10 - 2 v)";
  equation
    control.command = time < 1;
    connect(cylinder.port, control.port_a);
    connect(control.port_b, tank.port);
    connect(cylinder.port, throttle.port_a);
    connect(throttle.port_b, relief.port_a);
    connect(relief.port_b, tank.port);
  end CylinderStopsIdeal;
end hydraulics;
