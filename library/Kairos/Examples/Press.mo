within Kairos.Examples;
model Press "A hydraulic cylinder is stopped by a valve; a relief valve protects it"
  parameter Hydraulics.Interfaces.Level level = Hydraulics.Interfaces.Level.PiecewiseLinear
    "Level of abstraction" annotation(Evaluate=true);
  Hydraulics.Parts.Cylinder cylinder(level=level, A=1e-2, m=5000, C=2e-12, R=5e8, v(start=-0.5))
    "A moving mass pushes oil out of the cylinder"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Hydraulics.Parts.ControlValve control(
    level=level,
    Ropen=1e7,
    Rshut=1e13,
    qNominal=5e-3,
    dpNominal=5e4,
    T=5e-4,
    opening(start=1)) "Lets the oil out until it is shut"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Hydraulics.Parts.ReliefValve relief(
    level=level,
    pOpen=1e7,
    Ropen=1e8,
    Rshut=1e13,
    qNominal=5e-3,
    dpNominal=5e5,
    pFull=1.2e7,
    T=5e-4) "Opens when the pressure is too high"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Hydraulics.Parts.Resistance throttle(R=2e8) "Brakes the flow through the relief valve"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Hydraulics.Parts.Tank tank "Tank"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  Blocks.Sources.BooleanStep command(startTime=0.01, startValue=true) "The control valve shuts"
    annotation(Placement(transformation(extent={{-10, -20}, {10, 0}})));
equation
  connect(command.y, control.command)
    annotation(Line(points={{11, -10}, {-17, -10}, {-17, 91}, {-45, 91}}, color={0, 0, 127}));
  connect(cylinder.port, control.port_a)
    annotation(Line(points={{-100, 74}, {-77.5, 74}, {-77.5, 80}, {-55, 80}}, color={0, 0, 255}));
  connect(control.port_b, tank.port)
    annotation(Line(points={{-35, 80}, {-17.5, 80}, {-17.5, 45}, {0, 45}}, color={0, 0, 255}));
  connect(cylinder.port, throttle.port_a)
    annotation(Line(points={{-100, 74}, {-77.5, 74}, {-77.5, 35}, {-55, 35}}, color={0, 0, 255}));
  connect(throttle.port_b, relief.port_a)
    annotation(Line(points={{-35, 35}, {-22.5, 35}, {-22.5, 80}, {-10, 80}}, color={0, 0, 255}));
  connect(relief.port_b, tank.port)
    annotation(Line(points={{10, 80}, {5, 80}, {5, 45}, {0, 45}}, color={0, 0, 255}));
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
    Documentation(info="<html><p>The same circuit with detailed, piecewise-linear or ideal parts, chosen by one parameter.</p><p>Look at: the mass is braked by the oil; the relief valve limits the pressure in all levels, with more or less detail of how.</p></html>"),
    experiment(StopTime=0.1, Interval=1e-4));
end Press;
