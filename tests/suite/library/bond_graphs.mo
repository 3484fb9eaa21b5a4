package bond_graphs "Bond graphs with closed forms"
  import P = Kairos.BondGraphs.Parts;
  import H = Kairos.BondGraphs.Hybrid;

  model Elements "Se - 1 - (I, R), Sf - 0 - (C, R)"
    P.Se force(e0=6);
    P.Sf current(f0=3);
    P.J1 one(nOut=2);
    P.J0 zero(nOut=2);
    P.I mass(I=2);
    P.R damper(R=3), resistor(R=4);
    P.C capacitor(C=0.5);
    P.Bond bond;
    Real error_f = mass.f - 2*(1 - exp(-1.5*time));
    Real error_e = capacitor.e - 12*(1 - exp(-time/2));
    Real error_power = bond.power - 6*mass.f;
  equation
    connect(force.p, bond.p1);
    connect(bond.p2, one.enter[1]);
    connect(one.leave[1], mass.p);
    connect(one.leave[2], damper.p);
    connect(current.p, zero.enter[1]);
    connect(zero.leave[1], capacitor.p);
    connect(zero.leave[2], resistor.p);
  end Elements;

  model Machine "a DC machine as a gyrator and a gear as a transformer, both also set by signals"
    P.MSe supply(e0=12), supply2(e0=12);
    P.J1 armature(nOut=2), shaft(nOut=2), armature2(nOut=2), shaft2(nOut=2);
    P.R winding(R=0.5);
    P.MR winding2(R=0.5);
    P.GY motor(r=0.1);
    P.MGY motor2(r=0.1);
    P.I rotor(I=1e-3), rotor2(I=1e-3);
    P.TF gear(m=0.5);
    P.MTF gear2(m=0.5);
    P.R load(R=0.008), load2(R=0.008);
    Real error_w = rotor.f - 12*0.1/0.5/(0.02 + 0.002)*(1 - exp(-22*time))
      "friction 0.01/0.5 + 0.008/4";
    Real error_same = rotor.f - rotor2.f;
  equation
    connect(supply.p, armature.enter[1]);
    connect(armature.leave[1], winding.p);
    connect(armature.leave[2], motor.p1);
    connect(motor.p2, shaft.enter[1]);
    connect(shaft.leave[1], rotor.p);
    connect(shaft.leave[2], gear.p1);
    connect(gear.p2, load.p);
    connect(supply2.p, armature2.enter[1]);
    connect(armature2.leave[1], winding2.p);
    connect(armature2.leave[2], motor2.p1);
    connect(motor2.p2, shaft2.enter[1]);
    connect(shaft2.leave[1], rotor2.p);
    connect(shaft2.leave[2], gear2.p1);
    connect(gear2.p2, load2.p);
  end Machine;

  model Switched "a controlled 1-junction disconnects a source; a controlled 0-junction shorts one"
    P.Se source(e0=10);
    P.ControlledJ1 contact(nOut=2, on=time < 0.1);
    P.R r(R=100), r2(R=2), parallel(R=1);
    P.C c(C=1e-3);
    P.MSf pump(f0=1 + time);
    P.J1 series;
    P.ControlledJ0 node(nOut=2, on=time < 0.2);
    Real error_c = c.e - 10*(1 - exp(-min(time, 0.1)/0.1));
    Real error_node = r2.e - (if time < 0.2 then (1 + time)*2/3 else 0);
  equation
    connect(source.p, contact.enter[1]);
    connect(contact.leave[1], r.p);
    connect(contact.leave[2], c.p);
    connect(pump.p, series.enter[1]);
    connect(series.leave[1], node.enter[1]);
    connect(node.leave[1], r2.p);
    connect(node.leave[2], parallel.p);
  end Switched;

  model Rectifier "a diode from a controlled junction"
    P.MSe source(e0=10*sin(time));
    H.Diode diode;
    P.R load(R=5);
    Real error_f = load.f - max(0, 2*sin(time));
  equation
    connect(source.p, diode.p1);
    connect(diode.p2, load.p);
  end Rectifier;

  model Engaged "a clutch from a controlled junction: momentum is conserved"
    P.I a(I=1, f(start=6)), b(I=2);
    P.J1 ja(nIn=0, nOut=2), jb(nIn=1, nOut=1);
    H.Clutch clutch(engaged=time >= 1);
    Real error_a = a.f - (if time < 1 then 6 else 2);
    Real error_b = b.f - (if time < 1 then 0 else 2);
  equation
    connect(ja.leave[1], a.p);
    connect(ja.leave[2], clutch.p1);
    connect(clutch.p2, jb.enter[1]);
    connect(jb.leave[1], b.p);
  end Engaged;

  model Meeting "two bodies meet and stay together"
    P.I a(I=1, f(start=2)), b(I=3, f(start=-2));
    P.J1 ja(nIn=0, nOut=2), jb(nIn=1, nOut=1);
    H.Collision collision(distance=1);
    Real error_a = a.f - (if time < 0.25 then 2 else -1);
    Real error_b = b.f - (if time < 0.25 then -2 else -1);
  equation
    connect(ja.leave[1], a.p);
    connect(ja.leave[2], collision.p1);
    connect(collision.p2, jb.enter[1]);
    connect(jb.leave[1], b.p);
  end Meeting;
end bond_graphs;
