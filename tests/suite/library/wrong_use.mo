package wrong_use "Mistakes that a message must explain by naming the parts"
  import Kairos.Electrical.{Basic, Ideal, Sources};

  model Floating "no ground"
    Sources.ConstantVoltage battery(V=5);
    Basic.Resistor lamp(R=10);
  equation
    connect(battery.p, lamp.p);
    connect(battery.n, lamp.n);
  end Floating;

  model ParallelSources "two voltages for the same pair of nodes"
    Sources.ConstantVoltage battery(V=5), supply(V=6);
    Basic.Resistor lamp(R=10);
    Basic.Ground ground;
  equation
    connect(battery.p, lamp.p);
    connect(supply.p, lamp.p);
    connect(battery.n, lamp.n);
    connect(supply.n, lamp.n);
    connect(lamp.n, ground.p);
  end ParallelSources;

  model SeriesInductors "two start values for the same current"
    Sources.ConstantVoltage battery(V=5);
    Basic.Resistor lamp(R=10);
    Basic.Inductor coil(L=1, i(start=1)), choke(L=2, i(start=2));
    Basic.Ground ground;
  equation
    connect(battery.p, lamp.p);
    connect(lamp.n, coil.p);
    connect(coil.n, choke.p);
    connect(choke.n, battery.n);
    connect(battery.n, ground.p);
  end SeriesInductors;
end wrong_use;
