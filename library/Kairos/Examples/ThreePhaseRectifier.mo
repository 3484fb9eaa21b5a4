within Kairos.Examples;
model ThreePhaseRectifier "Bridge of six ideal diodes for three phases"
  parameter Units.Voltage V = 325 "Amplitude of a phase";
  Electrical.Sources.SineVoltage phase[3](
    each V=V,
    each f=50,
    phase={0, -2.0943951023931953, 2.0943951023931953}) "Phases"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Electrical.Ideal.Diode up[3] "Diodes to the positive rail"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Electrical.Ideal.Diode down[3] "Diodes from the negative rail"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Electrical.Basic.Resistor load(R=10) "Load"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Electrical.Basic.Ground ground "Star point"
    annotation(Placement(transformation(extent={{-55, -20}, {-35, 0}})));
equation
  for i in 1:3 loop
    connect(phase[i].n, ground.p)
      annotation(Line(points={{-80, 80}, {-62.5, 80}, {-62.5, 0}, {-45, 0}}, color={0, 0, 200}));
    connect(phase[i].p, up[i].p)
      annotation(Line(points={{-100, 80}, {-55, 80}}, color={0, 0, 200}));
    connect(up[i].n, load.p) annotation(Line(points={{-35, 80}, {-10, 80}}, color={0, 0, 200}));
    connect(load.n, down[i].p)
      annotation(Line(points={{10, 80}, {-22.5, 80}, {-22.5, 35}, {-55, 35}}, color={0, 0, 200}));
    connect(down[i].n, phase[i].p)
      annotation(Line(points={{-35, 35}, {-67.5, 35}, {-67.5, 80}, {-100, 80}}, color={0, 0, 200}));
  end for;
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
    Documentation(info="<html><p>The load always lies between the highest and the lowest phase.</p><p>Look at: six pulses in every period; the voltage never falls below 1.5 V.</p></html>"),
    experiment(StopTime=0.04, Interval=2e-5));
end ThreePhaseRectifier;
