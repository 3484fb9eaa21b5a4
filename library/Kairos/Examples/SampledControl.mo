within Kairos.Examples;
model SampledControl "Sampled-data control of a continuous plant"
  Blocks.Sources.Step reference(height=1) "Wanted position"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Blocks.Math.Feedback error "Control error"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Blocks.Discrete.StateSpace controller(A= [0.8], B= [0.5], C= [1.2], D= [2.0], period=0.1)
    "Digital controller" annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Blocks.Continuous.StateSpace plant(A= [0, 1; -1, -0.6], B= [0; 1], C= [1, 0]) "Swinging mass"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
equation
  connect(reference.y, error.u1)
    annotation(Line(points={{-79, 80}, {-67.5, 80}, {-67.5, 86}, {-56, 86}}, color={0, 0, 127}));
  connect(plant.y[1], error.u2)
    annotation(Line(points={{11, 35}, {-22.5, 35}, {-22.5, 74}, {-56, 74}}, color={0, 0, 127}));
  connect(error.y, controller.u[1])
    annotation(Line(points={{-34, 80}, {-11, 80}}, color={0, 0, 127}));
  connect(controller.y[1], plant.u[1])
    annotation(Line(points={{11, 80}, {0, 80}, {0, 35}, {-11, 35}}, color={0, 0, 127}));
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
    Documentation(info="<html><p>A controller that acts every 0.1 s moves a mass on a spring to a new position.</p><p>Look at: the control signal is a staircase; the plant answers smoothly between its steps.</p></html>"),
    experiment(StopTime=10, Interval=0.01));
end SampledControl;
