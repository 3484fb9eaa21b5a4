within Kairos.Examples;
model HalfWaveRectifier "Half-wave rectifier with an ideal diode"
  Electrical.Sources.SineVoltage source(V=24, f=50) "Mains"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Electrical.Basic.Resistor line(R=0.5) "Resistance of the line"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Electrical.Ideal.Diode diode "Diode"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Electrical.Basic.Capacitor c(C=2e-3) "Smoothing capacitor"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Electrical.Basic.Resistor load(R=100) "Load"
    annotation(Placement(transformation(extent={{-55, -20}, {-35, 0}})));
  Electrical.Basic.Ground ground "Ground"
    annotation(Placement(transformation(extent={{-55, -65}, {-35, -45}})));
equation
  connect(source.p, line.p) annotation(Line(points={{-100, 80}, {-55, 80}}, color={0, 0, 200}));
  connect(line.n, diode.p) annotation(Line(points={{-35, 80}, {-10, 80}}, color={0, 0, 200}));
  connect(diode.n, c.p)
    annotation(Line(points={{10, 80}, {-22.5, 80}, {-22.5, 35}, {-55, 35}}, color={0, 0, 200}));
  connect(c.p, load.p) annotation(Line(points={{-55, 35}, {-55, -10}}, color={0, 0, 200}));
  connect(c.n, source.n)
    annotation(Line(points={{-35, 35}, {-57.5, 35}, {-57.5, 80}, {-80, 80}}, color={0, 0, 200}));
  connect(load.n, source.n)
    annotation(Line(points={{-35, -10}, {-57.5, -10}, {-57.5, 80}, {-80, 80}}, color={0, 0, 200}));
  connect(source.n, ground.p)
    annotation(Line(points={{-80, 80}, {-62.5, 80}, {-62.5, -45}, {-45, -45}}, color={0, 0, 200}));
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
    Documentation(info="<html><p>The diode conducts only near the crests of the mains.</p><p>Look at: short pulses of current, and the voltage of the capacitor that sinks between them.</p></html>"),
    experiment(StopTime=0.1, Interval=1e-4));
end HalfWaveRectifier;
