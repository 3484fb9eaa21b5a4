// run: stop=0.04 tolerance=1e-8 model=InverterLegs.HalfBridge ; check: area(end)=0.16±1e-6
// run: stop=0.04 tolerance=1e-8 model=InverterLegs.HalfBridge method=bdf ; check: area(end)=0.16±1e-5
// run: stop=0.04 tolerance=1e-8 model=InverterLegs.SixSteps ; check: size(end)=0.53333333333±1e-5 ; check: neutral(end)=0±1e-9
package InverterLegs
  "Valves without any resistance, and diodes across them: beside a closed valve a diode has no voltage"
  import E = Kairos.Electrical;

  model HalfBridge
    "whether the current flows through a valve or back through a diode, the load has +10 V or -10 V"
    E.Sources.ConstantVoltage plus(V=10), minus(V=10);
    E.Ideal.GTO g1, g2;
    E.Ideal.Diode d1, d2;
    E.Basic.Inductor l(L=1e-2);
    E.Basic.Resistor r(R=1);
    E.Basic.Ground ground;
    Boolean on;
    discrete Real begin(start=0, fixed=true);
    Real area(start=0, fixed=true) "10 V (0.7 - 0.3) 40 ms";
  equation
    when sample(0, 1e-3) then
      begin = time;
    end when;
    on = time < begin + 0.7e-3;
    g1.fire = on;
    g2.fire = not on;
    connect(plus.n, ground.p);
    connect(minus.p, ground.p);
    connect(plus.p, g1.p);
    connect(g1.n, l.p);
    connect(g2.p, l.p);
    connect(g2.n, minus.n);
    connect(d1.n, plus.p);
    connect(d1.p, l.p);
    connect(d2.n, l.p);
    connect(d2.p, minus.n);
    connect(l.n, r.p);
    connect(r.n, ground.p);
    der(area) = l.p.v;
  end HalfBridge;

  model SixSteps
    "an inverter of three legs: a phase of the star has 1/3, 2/3, 1/3 of the voltage, then the same backwards"
    constant Real pi = 2*acos(0);
    E.Sources.ConstantVoltage source(V=30);
    E.Ideal.GTO up[3], lo[3];
    E.Ideal.Diode dup[3], dlo[3];
    E.Basic.Inductor l[3](each L=5e-3);
    E.Basic.Resistor r[3](each R=1);
    E.Basic.Ground ground;
    Real size(start=0, fixed=true) "integral of the magnitude: 30 V (4/3 + 2 2/3)/6 40 ms";
    Real neutral = l[1].i + l[2].i + l[3].i;
  equation
    connect(source.n, ground.p);
    for k in 1:3 loop
      up[k].fire = sin(2*pi*50*time - 2*pi*(k - 1)/3 + 0.1) > 0;
      lo[k].fire = not up[k].fire;
      connect(source.p, up[k].p);
      connect(up[k].n, l[k].p);
      connect(lo[k].p, l[k].p);
      connect(lo[k].n, source.n);
      connect(dup[k].n, source.p);
      connect(dup[k].p, l[k].p);
      connect(dlo[k].n, l[k].p);
      connect(dlo[k].p, source.n);
      connect(l[k].n, r[k].p);
      if k > 1 then
        connect(r[k].n, r[1].n);
      end if;
    end for;
    der(size) = noEvent(abs(l[1].p.v - r[1].n.v));
  end SixSteps;
end InverterLegs;
