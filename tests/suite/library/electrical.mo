package electrical
  "Circuits with closed forms; an `error…` is the difference between the circuit and its closed form"
  import Kairos.Electrical.{Basic, Ideal, Sources, Sensors, Machines};
  constant Real pi = 2*acos(0);

  model Charging "RC by a step: u = V (1 - exp(-t/RC)); charge and energy are conserved"
    Sources.StepVoltage source(V=10);
    Basic.Resistor r(R=100);
    Basic.Capacitor c(C=1e-3);
    Basic.Ground ground;
    Sensors.VoltageSensor volt;
    Sensors.CurrentSensor ampere;
    Sensors.PotentialSensor potential;
    Sensors.PowerSensor watt;
    Real supplied(start=0, fixed=true), heat(start=0, fixed=true);
    Real error_u = volt.y - 10*(1 - exp(-time/0.1));
    Real error_i = ampere.y - 0.1*exp(-time/0.1);
    Real error_v = potential.v - volt.y;
    Real error_p = watt.y - c.u*c.i;
    Real error_energy = supplied - heat - c.C*c.u^2/2;
  equation
    connect(source.p, r.p);
    connect(r.n, ampere.p);
    connect(ampere.n, watt.pc);
    connect(watt.nc, c.p);
    connect(c.n, source.n);
    connect(source.n, ground.p);
    connect(volt.p, c.p);
    connect(volt.n, c.n);
    connect(watt.pv, c.p);
    connect(watt.nv, c.n);
    connect(potential.p, c.p);
    der(supplied) = -source.u*source.i;
    der(heat) = r.lossPower;
  end Charging;

  model Swinging "LC: u = U cos(wt), i = U sqrt(C/L) sin(wt)"
    Basic.Inductor l(L=0.1);
    Basic.Capacitor c(C=1e-3, u(start=5));
    Basic.Ground ground;
    Real error_u = c.u - 5*cos(100*time);
    Real error_i = l.i - 0.5*sin(100*time);
  equation
    connect(c.p, l.p);
    connect(c.n, l.n);
    connect(c.n, ground.p);
  end Swinging;

  model CurrentDriven "sources of current into R and RC"
    Sources.ConstantCurrent dc(I=2);
    Sources.SineCurrent ac(I=3, f=2, phase=0.5);
    Sources.SignalCurrent signal(I=time);
    Basic.Resistor r1(R=5), r2(R=4);
    Basic.VariableResistor r3(R=1 + time);
    Basic.Ground g;
    Real error_dc = r1.u - 10;
    Real error_ac = r2.u - 12*sin(4*pi*time + 0.5);
    Real error_signal = r3.u - (1 + time)*time;
  equation
    connect(dc.n, r1.p);
    connect(ac.n, r2.p);
    connect(signal.n, r3.p);
    connect(dc.p, g.p);
    connect(ac.p, g.p);
    connect(signal.p, g.p);
    connect(r1.n, g.p);
    connect(r2.n, g.p);
    connect(r3.n, g.p);
  end CurrentDriven;

  model Transformed "ideal and coupled transformer"
    Sources.SineVoltage source(V=10, f=1/(2*pi)) "sin(t)";
    Sources.ConstantVoltage battery(V=6);
    Basic.IdealTransformer ideal(n=5);
    Basic.Resistor load(R=2);
    Basic.Transformer coupled(L1=2, L2=1, M=1);
    Basic.Resistor short(R=1e-9);
    Basic.Ground g1, g2, g3, g4;
    Real error_u = load.u - 2*sin(time);
    Real error_i = ideal.i1 - 0.2*sin(time);
    Real error_power = ideal.u1*ideal.i1 + ideal.u2*ideal.i2;
    Real error_coupled = coupled.i1 - 6*time
      "inductance with a short on the other side: L1 - M^2/L2 = 1";
    Real error_short = coupled.i2 + 6*time;
  equation
    connect(source.p, ideal.p1);
    connect(source.n, ideal.n1);
    connect(source.n, g1.p);
    connect(ideal.p2, load.p);
    connect(ideal.n2, load.n);
    connect(load.n, g2.p);
    connect(battery.p, coupled.p1);
    connect(battery.n, coupled.n1);
    connect(battery.n, g3.p);
    connect(coupled.p2, short.p);
    connect(coupled.n2, short.n);
    connect(coupled.n2, g4.p);
  end Transformed;

  model Amplified "inverting amplifier, and one that reaches its supply"
    Sources.SignalVoltage source(V=sin(time));
    Basic.Resistor r1(R=1e3), r2(R=4e3);
    Basic.OpAmp ideal;
    Basic.LimitedOpAmp limited(gain=1e6, vMax=3, vMin=-2);
    Basic.Resistor r3(R=1e3), r4(R=4e3);
    Basic.Ground g;
    Real error_ideal = ideal.out.v + 4*sin(time);
    Real error_limited = limited.out.v - min(3, max(-2, -4*sin(time)));
  equation
    connect(source.n, g.p);
    connect(source.p, r1.p);
    connect(r1.n, ideal.in_n);
    connect(r2.p, ideal.in_n);
    connect(r2.n, ideal.out);
    connect(ideal.in_p, g.p);
    connect(source.p, r3.p);
    connect(r3.n, limited.in_n);
    connect(r4.p, limited.in_n);
    connect(r4.n, limited.out);
    connect(limited.in_p, g.p);
  end Amplified;

  model Rectified "half-wave rectifier with a resistive load: the current is max(0, sin)"
    Sources.SineVoltage source(V=10, f=1/(2*pi));
    Ideal.Diode diode;
    Basic.Resistor r(R=5);
    Basic.Ground g;
    Real error_i = r.i - max(0, 2*sin(time));
  equation
    connect(source.p, diode.p);
    connect(diode.n, r.p);
    connect(r.n, source.n);
    connect(source.n, g.p);
  end Rectified;

  model RealDiode "knee and resistance: i = (v - 1)/(4 + 1) where v > 1, leak of 1e-3 S below"
    Sources.SignalVoltage source(V=6*time - 3);
    Ideal.Diode diode(Vknee=1, Ron=4, Goff=1e-3);
    Basic.Resistor r(R=1);
    Basic.Ground g;
    Real error_i = r.i
      - (if source.V > 1 then (source.V - 1)/5 else 1e-3*(source.V - 1)/(1 + 1e-3));
    Real error_loss = diode.lossPower - diode.u*diode.i;
  equation
    connect(source.p, diode.p);
    connect(diode.n, r.p);
    connect(r.n, source.n);
    connect(source.n, g.p);
  end RealDiode;

  model Fired "thyristor and GTO with a resistive load"
    Sources.SineVoltage source(V=10, f=1/(2*pi));
    Ideal.Thyristor thyristor(fire=time >= 1 and time < 1.1 or time >= 4 and time < 4.1 or time >= 7
      and time < 7.1);
    Ideal.GTO gto(fire=time >= 1 and time < 2 or time >= 6);
    Basic.Resistor r1(R=5), r2(R=5);
    Basic.Ground g;
    Real error_thyristor = r1.i
      - (if time >= 1 and time < pi or time >= 7 and time < 3*pi then 2*sin(time) else 0);
    Real error_gto = r2.i
      - (if time >= 1 and time < 2 or time >= 2*pi and time < 3*pi then 2*sin(time) else 0);
  equation
    connect(source.p, thyristor.p);
    connect(thyristor.n, r1.p);
    connect(r1.n, source.n);
    connect(source.p, gto.p);
    connect(gto.n, r2.p);
    connect(r2.n, source.n);
    connect(source.n, g.p);
  end Fired;

  model ThyristorWithInductor
    "the current of the inductor holds the thyristor until it is zero (accept case `thyristor`)"
    Sources.SineVoltage source(V=100, f=50);
    Ideal.Thyristor thyristor;
    Basic.Resistor r(R=10);
    Basic.Inductor l(L=0.05);
    Basic.Ground g;
    Kairos.Blocks.Sources.BooleanPulse pulse(period=0.02, width=0.025, startTime=1/(100*pi));
  equation
    connect(pulse.y, thyristor.fire);
    connect(source.p, thyristor.p);
    connect(thyristor.n, r.p);
    connect(r.n, l.p);
    connect(l.n, source.n);
    connect(source.n, g.p);
  end ThyristorWithInductor;

  model Switched "a switch in an RC circuit, ideal and with losses"
    Sources.ConstantVoltage source(V=10);
    Ideal.Switch ideal(closed=time < 0.1), lossy(Ron=1, Goff=1e-3, closed=time < 0.1);
    Basic.Resistor r1(R=100), r2(R=99);
    Basic.Capacitor c(C=1e-3);
    Basic.Ground g;
    Real error_c = c.u - 10*(1 - exp(-min(time, 0.1)/0.1));
    Real error_r = r2.i - (if time < 0.1 then 0.1 else 10/(99 + 1000));
  equation
    connect(source.p, ideal.p);
    connect(ideal.n, r1.p);
    connect(r1.n, c.p);
    connect(c.n, source.n);
    connect(source.p, lossy.p);
    connect(lossy.n, r2.p);
    connect(r2.n, source.n);
    connect(source.n, g.p);
  end Switched;

  model Motor "DC machine: the mechanical time constant without inductance is J R/k^2"
    Sources.ConstantVoltage source(V=12);
    Machines.DCMachine machine(R=0.5, L=0, k=0.1, J=1e-3, i(fixed=false));
    Basic.Ground g;
    Real supplied(start=0, fixed=true), heat(start=0, fixed=true);
    Real error_w = machine.w - 120*(1 - exp(-time/0.05));
    Real error_energy = supplied - heat - machine.J*machine.w^2/2;
  equation
    connect(source.p, machine.p);
    connect(source.n, machine.n);
    connect(source.n, g.p);
    der(supplied) = -source.u*source.i;
    der(heat) = machine.lossPower;
  end Motor;

  model Generator
    "a flywheel on an ideal converter slows down into a resistor: w = w0 exp(-k^2 t/(R J))"
    Machines.ElectromotiveForce emf(k=0.5);
    Basic.Resistor r(R=2);
    Basic.Ground g;
    Kairos.Mechanics.Rotational.Parts.Inertia wheel(J=0.1, w(start=100));
    Real error_w = wheel.w - 100*exp(-1.25*time);
    Real error_i = r.i - 25*exp(-1.25*time);
  equation
    connect(emf.p, r.p);
    connect(emf.n, r.n);
    connect(emf.n, g.p);
    connect(emf.flange, wheel.flange_a);
  end Generator;

  model Warming "a resistor heats a body; its resistance grows with temperature"
    Sources.ConstantCurrent source(I=2);
    Basic.Resistor r(R=10, alpha=0.01, useHeatPort=true);
    Kairos.Thermal.Parts.HeatCapacity body(C=100);
    Basic.Ground g;
    Real error_T = body.T - 293.15 - 100*(exp(0.4*time/100) - 1)
      "C T' = R I^2 (1 + alpha (T - Tref))";
  equation
    connect(source.n, r.p);
    connect(source.p, r.n);
    connect(r.n, g.p);
    connect(r.heatPort, body.port);
  end Warming;
end electrical;
