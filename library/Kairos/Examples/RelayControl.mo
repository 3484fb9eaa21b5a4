within Kairos.Examples;
model RelayControl "Relay control with a sliding mode"
  Blocks.Nonlinear.Relay relay(yOn=-1, yOff=1) "Two-point controller"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Blocks.Continuous.Integrator plant(y(start=0.8)) "Plant"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Blocks.Sources.Sine disturbance(amplitude=1.6, f=0.15915494309189535)
    "Disturbance, at times stronger than the relay"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Blocks.Math.Add sum "What drives the plant"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
equation
  connect(plant.y, relay.u) annotation(Line(points={{-34, 80}, {-101, 80}}, color={0, 0, 127}));
  connect(relay.y, sum.u1)
    annotation(Line(points={{-79, 80}, {-67.5, 80}, {-67.5, 41}, {-56, 41}}, color={0, 0, 127}));
  connect(disturbance.y, sum.u2)
    annotation(Line(points={{11, 80}, {-22.5, 80}, {-22.5, 29}, {-56, 29}}, color={0, 0, 127}));
  connect(sum.y, plant.u)
    annotation(Line(points={{-34, 35}, {-45, 35}, {-45, 80}, {-56, 80}}, color={0, 0, 127}));
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
    Documentation(info="<html><p>The relay pushes the plant towards zero from both sides. While it is stronger than the disturbance the plant slides along zero.</p><p>Look at: no chattering; the run has a handful of events and leaves zero when the disturbance wins.</p></html>"),
    experiment(StopTime=9, Interval=0.01));
end RelayControl;
