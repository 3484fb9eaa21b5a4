// run: ; check: b.sum(end)=3 ; check: b.p.share(end)=-3
// A connector of flows alone breaks MLS 9.3.1. It is connected and the model is balanced, so it has its meaning.
model FlowsAlone
  connector Port
    flow Real share;
  end Port;
  model Source
    parameter Real k;
    Port p(share = k);
  end Source;
  model Collector
    Port p;
    Real sum = -p.share;
  end Collector;
  Source a(k = 1), c(k = 2);
  Collector b;
equation
  connect(a.p, b.p);
  connect(c.p, b.p);
  annotation(experiment(StopTime = 1));
end FlowsAlone;
