package Electric "Electrical parts that are connected at pins"
  connector Pin
    Real v(unit="V");
    flow Real i(unit="A");
  end Pin;

  partial model TwoPin
    Pin p, n;
    Real v(unit="V") = p.v - n.v;
    Real i(unit="A") = p.i;
  equation
    p.i + n.i = 0;
  end TwoPin;

  model Source
    extends TwoPin;
    parameter Real V(unit="V") = 12;
    parameter Real f(unit="Hz") = 50;
  equation
    v = V*sin(2*3.141592653589793*f*time);
  end Source;

  model Resistor
    extends TwoPin;
    parameter Real R(unit="Ohm") = 10;
  equation
    v = R*i;
  end Resistor;

  model Capacitor
    extends TwoPin;
    parameter Real C(unit="F") = 1e-3;
  equation
    i = C*der(v);
  end Capacitor;

  model IdealDiode "Blocks or conducts, nothing in between"
    extends TwoPin;
    Boolean blocks(start=true);
  protected
    Real s "Voltage where it blocks, current where it conducts";
  equation
    blocks = s < 0;
    v = if blocks then s else 0;
    i = if blocks then 0 else s;
  end IdealDiode;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Rectifier "Four diodes make a smooth voltage of an alternating one"
    Source source(V=12, f=50);
    Resistor wire(R=0.5);
    IdealDiode d1, d2, d3, d4;
    Capacitor smooth(C=2e-3, v(start=0, fixed=true));
    Resistor load(R=50);
    Ground ground;
  equation
    connect(source.p, wire.p);
    connect(wire.n, d1.p);
    connect(wire.n, d3.n);
    connect(source.n, d2.p);
    connect(source.n, d4.n);
    connect(d1.n, d2.n);
    connect(d3.p, d4.p);
    connect(d1.n, smooth.p);
    connect(d1.n, load.p);
    connect(d3.p, smooth.n);
    connect(d3.p, load.n);
    connect(load.n, ground.p);
    annotation(experiment(StopTime=0.1));
  end Rectifier;
end Electric;
