// run: stop=1 ; check: s.q.p.i(1)=-0.2±1e-12 ; check: s.p.p.i(1)=0 ; check: e.bus.x.v(1)=1±1e-12 ; check: m.x.p.i(1)=-0.5±1e-12
// compile: ; print: flat
model BusFlows "A flow that only one side adds to a bus is zero there (MLS 9.1.3, 9.2)"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  expandable connector Bus
  end Bus;
  model Level
    parameter Real v;
    Pin p;
  equation
    p.v = v;
  end Level;
  model Resistor
    parameter Real R = 10;
    Pin p;
  equation
    p.v = R*p.i;
  end Resistor;
  model Sources
    Bus bus;
    Level p(v = 1), q(v = 2);
  equation
    connect(p.p, bus.x);
    connect(q.p, bus.y);
  end Sources;
  model Uses "y, not x"
    Bus bus;
    Resistor g;
  equation
    connect(g.p, bus.y);
  end Uses;
  model Between "hands on what it does not use"
    Bus a, b;
    Level x(v = 5);
    Resistor r;
  equation
    connect(a, b);
    connect(x.p, a.z);
    connect(r.p, b.z);
  end Between;
  Sources s;
  Uses e;
  Between m;
equation
  connect(e.bus, s.bus);
end BusFlows;
