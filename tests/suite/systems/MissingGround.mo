// compile
model MissingGround "A circuit without a ground: the message names the nodes that float"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor
    Pin p, n;
  equation
    p.v - n.v = p.i;
    p.i + n.i = 0;
  end Resistor;
  model Source
    Pin p, n;
  equation
    p.v - n.v = 1;
    p.i + n.i = 0;
  end Source;
  Resistor r;
  Source s;
equation
  connect(s.p, r.p);
  connect(s.n, r.n); //~ error[floating-potentials] float: no part sets their level
end MissingGround;
