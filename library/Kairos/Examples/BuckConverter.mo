within Kairos.Examples;
model BuckConverter "Buck converter with a sampled controller"
  parameter Units.Frequency f = 20e3 "Switching frequency";
  Electrical.Sources.ConstantVoltage source(V=24) "Supply"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Electrical.Ideal.Switch switch(Ron=0.02, Goff=1e-6) "Transistor"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Electrical.Ideal.Diode diode(Ron=0.02, Goff=1e-6) "Freewheeling diode"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Electrical.Basic.Inductor l(L=2e-4) "Choke"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  Electrical.Basic.Capacitor c(C=2e-4) "Smoothing capacitor"
    annotation(Placement(transformation(extent={{-10, -20}, {10, 0}})));
  Electrical.Basic.VariableResistor load(R=if time < 6e-3 then 6 else 3)
    "Load that doubles its current"
    annotation(Placement(transformation(extent={{-10, -65}, {10, -45}})));
  Electrical.Basic.Ground ground "Ground"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Electrical.Sensors.VoltageSensor volt "Measures the output"
    annotation(Placement(transformation(extent={{-10, -110}, {10, -90}})));
  Blocks.Sources.Ramp reference(height=12, duration=2e-3) "Wanted voltage"
    annotation(Placement(transformation(extent={{80, 70}, {100, 90}})));
  Blocks.Discrete.PID controller(period=1/f, k=0.03, Ti=2.5e-4, Td=1e-4, yMin=0, yMax=0.95)
    "Duty ratio for the next period"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  Blocks.Sources.Sawtooth carrier(period=1/f) "Carrier of the pulse width modulation"
    annotation(Placement(transformation(extent={{35, 25}, {55, 45}})));
  Blocks.Logical.Greater pwm "Pulse width modulation"
    annotation(Placement(transformation(extent={{-10, -155}, {10, -135}})));
equation
  connect(reference.y, controller.reference)
    annotation(Line(points={{101, 80}, {67.5, 80}, {67.5, 86}, {34, 86}}, color={0, 0, 127}));
  connect(volt.y, controller.measured)
    annotation(Line(points={{0, -111}, {17, -111}, {17, 74}, {34, 74}}, color={0, 0, 200}));
  connect(controller.y, pwm.u1)
    annotation(Line(points={{56, 80}, {22.5, 80}, {22.5, -139}, {-11, -139}}, color={0, 0, 127}));
  connect(carrier.y, pwm.u2)
    annotation(Line(points={{56, 35}, {22.5, 35}, {22.5, -151}, {-11, -151}}, color={0, 0, 127}));
  connect(pwm.y, switch.closed)
    annotation(Line(points={{11, -145}, {-17, -145}, {-17, 91}, {-45, 91}}, color={255, 0, 255}));
  connect(source.p, switch.p) annotation(Line(points={{-100, 80}, {-55, 80}}, color={0, 0, 200}));
  connect(switch.n, l.p)
    annotation(Line(points={{-35, 80}, {-22.5, 80}, {-22.5, 35}, {-10, 35}}, color={0, 0, 200}));
  connect(diode.n, l.p)
    annotation(Line(points={{10, 80}, {0, 80}, {0, 35}, {-10, 35}}, color={0, 0, 200}));
  connect(diode.p, ground.p)
    annotation(Line(points={{-10, 80}, {-27.5, 80}, {-27.5, 45}, {-45, 45}}, color={0, 0, 200}));
  connect(l.n, c.p)
    annotation(Line(points={{10, 35}, {0, 35}, {0, -10}, {-10, -10}}, color={0, 0, 200}));
  connect(c.n, ground.p)
    annotation(Line(points={{10, -10}, {-17.5, -10}, {-17.5, 45}, {-45, 45}}, color={0, 0, 200}));
  connect(load.p, c.p) annotation(Line(points={{-10, -55}, {-10, -10}}, color={0, 0, 200}));
  connect(load.n, ground.p)
    annotation(Line(points={{10, -55}, {-17.5, -55}, {-17.5, 45}, {-45, 45}}, color={0, 0, 200}));
  connect(volt.p, c.p) annotation(Line(points={{-10, -100}, {-10, -10}}, color={0, 0, 200}));
  connect(volt.n, ground.p)
    annotation(Line(points={{10, -100}, {-17.5, -100}, {-17.5, 45}, {-45, 45}}, color={0, 0, 200}));
  connect(source.n, ground.p)
    annotation(Line(points={{-80, 80}, {-62.5, 80}, {-62.5, 45}, {-45, 45}}, color={0, 0, 200}));
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-40, 50}, {50, 0}, {-40, -50}},
        lineColor={200, 100, 0},
        fillColor={200, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Transistor and diode take turns to carry the current of the choke; the controller sets the duty ratio once a period.</p><p>Look at: the output follows the ramp to 12 V and recovers when the load doubles; the current of the choke has the ripple of the switching.</p></html>"),
    experiment(StopTime=0.012, Interval=1e-5));
end BuckConverter;
