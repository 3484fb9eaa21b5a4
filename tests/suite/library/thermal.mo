package thermal "Heat with closed forms"
  import T = Kairos.Thermal;

  model Cooling "two bodies on a conductor: the difference decays with C/(2 G), energy is conserved"
    T.Parts.HeatCapacity a(C=10, T(start=400)), b(C=10, T(start=300));
    T.Sensors.HeatFlowSensor heat;
    T.Sensors.TemperatureSensor temperature;
    T.Parts.Conductor conductor(G=2);
    Real error_T = temperature.T - 350 - 50*exp(-0.4*time);
    Real error_energy = a.T + b.T - 700;
    Real error_flow = heat.y - 200*exp(-0.4*time);
  equation
    connect(a.port, heat.port_a);
    connect(heat.port_b, conductor.port_a);
    connect(conductor.port_b, b.port);
    connect(a.port, temperature.port);
  end Cooling;

  model Heating "heaters against convection"
    T.Sources.FixedHeatFlow heater(Q_flow=100);
    T.Sources.PrescribedHeatFlow ramp(Q_flow=10*time);
    T.Parts.HeatCapacity body(C=50), other(C=5);
    T.Parts.Convection convection(Gc=10);
    T.Sources.FixedTemperature air(T=293.15);
    T.Sources.PrescribedTemperature given(T=300 + time);
    T.Parts.Conductor conductor(G=3);
    Real error_body = body.T - 293.15 - 10*(1 - exp(-0.2*time));
    Real error_other = other.T - 293.15 - time^2;
    Real error_given = conductor.Q_flow - 3*(6.85 + time);
  equation
    connect(heater.port, body.port);
    connect(body.port, convection.port_a);
    connect(convection.port_b, air.port);
    connect(ramp.port, other.port);
    connect(given.port, conductor.port_a);
    connect(conductor.port_b, air.port);
  end Heating;

  model Radiating "a body radiates into space: 1/T^3 grows by 3 sigma Gr t/C"
    T.Parts.HeatCapacity body(C=1, T(start=1000));
    T.Parts.Radiation radiation(Gr=0.01);
    T.Sources.FixedTemperature space(T=0);
    Real error_T = body.T - (1000.0^(-3) + 3*5.670374419e-10*time)^(-1/3);
  equation
    connect(body.port, radiation.port_a);
    connect(radiation.port_b, space.port);
  end Radiating;
end thermal;
