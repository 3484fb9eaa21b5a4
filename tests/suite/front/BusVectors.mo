// run: ; check: b.y(end)=2 ; check: c.y(end)=7
// A vector that an expandable connector does not declare is as long as the greatest subscript connected (MLS 9.1.3).
model BusVectors
  expandable connector Bus
  end Bus;
  connector Output = output Real;
  connector Input = input Real;
  model Give
    parameter Real k;
    Output y = k;
  end Give;
  model Take
    Input u;
    Real y = u;
  end Take;
  Bus bus;
  Give a(k = 2), d(k = 7);
  Take b, c;
equation
  connect(a.y, bus.v[1]);
  connect(bus.v[3], c.u);
  connect(d.y, bus.v[3]);
  connect(bus.v[1], b.u);
  connect(a.y, bus.v[2]);
  annotation(experiment(StopTime = 1));
end BusVectors;
