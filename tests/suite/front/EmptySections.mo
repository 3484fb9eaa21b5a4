// run: ; check: c.p.v(end)=3
// Editors leave sections without equations behind, in connectors and records, too: they say nothing.
model EmptySections
  connector Port
    Real v;
    flow Real i;
  equation
    annotation(defaultComponentName = "p");
  end Port;
  record Data
    Real k = 3;
  algorithm
  end Data;
  model Part
    Port p;
    Data d;
  equation
    p.v = d.k;
  end Part;
  Part c;
  annotation(experiment(StopTime = 1));
end EmptySections;
