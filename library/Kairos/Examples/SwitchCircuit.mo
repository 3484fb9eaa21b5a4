within Kairos.Examples;
model SwitchCircuit "A switch charges a capacitor from a current source"
  Electrical.Sources.ConstantCurrent source(I=1) "Current source"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Electrical.Basic.Resistor r1(R=100) "Resistance of the source"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Electrical.Basic.Resistor r2(R=20) "Load"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Electrical.Basic.Capacitor c(C=1e-7) "Smoothing capacitor"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  Electrical.Ideal.Switch switch "Switch"
    annotation(Placement(transformation(extent={{-10, -20}, {10, 0}})));
  Electrical.Basic.Ground ground "Ground"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Blocks.Sources.BooleanTable schedule(instants={1e-6, 2.5e-6, 5e-6, 9e-6})
    "When the switch is closed" annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
equation
  connect(schedule.y, switch.closed)
    annotation(Line(points={{56, 80}, {28, 80}, {28, 1}, {0, 1}}, color={0, 0, 127}));
  connect(source.n, r1.p) annotation(Line(points={{-80, 80}, {-55, 80}}, color={0, 0, 200}));
  connect(r1.p, switch.p)
    annotation(Line(points={{-55, 80}, {-32.5, 80}, {-32.5, -10}, {-10, -10}}, color={0, 0, 200}));
  connect(switch.n, r2.p)
    annotation(Line(points={{10, -10}, {0, -10}, {0, 80}, {-10, 80}}, color={0, 0, 200}));
  connect(r2.p, c.p) annotation(Line(points={{-10, 80}, {-10, 35}}, color={0, 0, 200}));
  connect(source.p, ground.p)
    annotation(Line(points={{-100, 80}, {-72.5, 80}, {-72.5, 45}, {-45, 45}}, color={0, 0, 200}));
  connect(r1.n, ground.p)
    annotation(Line(points={{-35, 80}, {-40, 80}, {-40, 45}, {-45, 45}}, color={0, 0, 200}));
  connect(r2.n, ground.p)
    annotation(Line(points={{10, 80}, {-17.5, 80}, {-17.5, 45}, {-45, 45}}, color={0, 0, 200}));
  connect(c.n, ground.p)
    annotation(Line(points={{10, 35}, {-17.5, 35}, {-17.5, 45}, {-45, 45}}, color={0, 0, 200}));
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
    Documentation(info="<html><p>The ideal switch is part of an algebraic loop: while it is open its current is zero and its voltage floats; while it is closed it is the other way round.</p><p>Look at: the voltage of the capacitor is continuous, the voltage of the switch jumps.</p></html>"),
    experiment(StopTime=1.2e-5, Interval=2e-8));
end SwitchCircuit;
