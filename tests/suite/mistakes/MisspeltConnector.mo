// compile:
// A connector that is not there. The help has the nearest.
model MisspeltConnector
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Part
    Pin plus;
  equation
    plus.v = 1;
  end Part;
  Part a;
  Part b;
equation
  connect(a.plus, b.plu); //~ error[unknown-member] `plu`
end MisspeltConnector;
