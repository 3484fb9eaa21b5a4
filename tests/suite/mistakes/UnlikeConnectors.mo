// compile:
// Two connectors of different kinds.
model UnlikeConnectors
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Port
    Real T;
    flow Real q;
  end Port;
  model Source
    Pin p;
  equation
    p.v = 1;
  end Source;
  model Wall
    Port p;
  equation
    p.T = 1;
  end Wall;
  Source source;
  Wall wall;
equation
  connect(source.p, wall.p); //~ error[connect-mismatch] do not both have `v`
end UnlikeConnectors;
