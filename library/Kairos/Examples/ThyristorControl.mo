within Kairos.Examples;
model ThyristorControl "A thyristor fired at a phase angle feeds a smoothed load"
  parameter Units.Frequency f = 50 "Frequency of the mains";
  parameter Units.Angle angle = 1.2 "Firing angle";
  Electrical.Sources.SineVoltage source(V=20, f=f) "Mains"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Electrical.Basic.Resistor line(R=4) "Resistance of the line"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Electrical.Ideal.Thyristor thyristor "Thyristor"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Electrical.Basic.Capacitor c(C=1e-3) "Smoothing capacitor"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Electrical.Basic.Resistor load(R=60) "Load"
    annotation(Placement(transformation(extent={{-55, -20}, {-35, 0}})));
  Electrical.Basic.Ground ground "Ground"
    annotation(Placement(transformation(extent={{-55, -65}, {-35, -45}})));
  Blocks.Sources.BooleanPulse firing(
    period=1/f,
    width=0.02,
    startTime=angle/(2*3.141592653589793*f)) "Pulses for the gate"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
equation
  connect(firing.y, thyristor.fire)
    annotation(Line(points={{56, 80}, {31, 80}, {31, 91}, {6, 91}}, color={0, 0, 127}));
  connect(source.p, line.p) annotation(Line(points={{-100, 80}, {-55, 80}}, color={0, 0, 200}));
  connect(line.n, thyristor.p) annotation(Line(points={{-35, 80}, {-10, 80}}, color={0, 0, 200}));
  connect(thyristor.n, c.p)
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
    Documentation(info="<html><p>A short pulse at the firing angle of every period turns the thyristor on; it turns off by itself when its current falls to zero.</p><p>Look at: the current begins with the pulse, not with the positive half wave, and outlasts the pulse.</p></html>"),
    experiment(StopTime=0.1, Interval=1e-4));
end ThyristorControl;
