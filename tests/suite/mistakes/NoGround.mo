// compile:
// A circuit without a ground: which potentials float, and what to add.
model NoGround
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor
    Pin p;
    Pin n;
  equation
    p.v - n.v = p.i;
    p.i + n.i = 0;
  end Resistor;
  model Source
    Pin p;
    Pin n;
  equation
    p.v - n.v = 1;
    p.i + n.i = 0;
  end Source;
  Resistor r;
  Source s;
equation
  connect(r.p, s.p);
  connect(r.n, s.n); //~ error[floating-potentials] float
end NoGround;
