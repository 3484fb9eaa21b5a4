// compile
model UnbalancedPart //~ error[unbalanced-model] ; `x` has 1 equation too few
  connector Pin
    Real v; //~ error[structurally-singular] not determined
    flow Real i;
  end Pin;
  model Resistor
    Pin p, n;
  equation
    p.v - n.v = p.i;
    p.i + n.i = 0;
  end Resistor;
  model Broken "The equation of its law is missing"
    Pin p, n;
    Real v;
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
  end Broken;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  Resistor r;
  Broken x;
  Ground g;
equation
  connect(r.p, x.p);
  connect(r.n, g.p);
  connect(x.n, g.p);
end UnbalancedPart;
