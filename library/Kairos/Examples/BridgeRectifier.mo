within Kairos.Examples;
model BridgeRectifier "Full bridge of ideal diodes"
  Electrical.Sources.SineVoltage source(V=10, f=50) "Mains"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Electrical.Basic.Resistor line(R=1) "Resistance of the line"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Electrical.Basic.Resistor leakA(R=1e4) "Leak to ground"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Electrical.Basic.Resistor leakB(R=1e4) "Leak to ground"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Electrical.Ideal.Diode d1 "From the first pole"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  Electrical.Ideal.Diode d2 "From the second pole"
    annotation(Placement(transformation(extent={{-55, -20}, {-35, 0}})));
  Electrical.Ideal.Diode d3 "To the first pole"
    annotation(Placement(transformation(extent={{-10, -20}, {10, 0}})));
  Electrical.Ideal.Diode d4 "To the second pole"
    annotation(Placement(transformation(extent={{-55, -65}, {-35, -45}})));
  Electrical.Basic.Capacitor c(C=1e-3) "Smoothing capacitor"
    annotation(Placement(transformation(extent={{-10, -65}, {10, -45}})));
  Electrical.Basic.Resistor load(R=100) "Load"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  Electrical.Basic.Ground ground "Ground"
    annotation(Placement(transformation(extent={{-10, -110}, {10, -90}})));
equation
  connect(source.p, line.p) annotation(Line(points={{-100, 80}, {-55, 80}}, color={0, 0, 200}));
  connect(line.n, d1.p)
    annotation(Line(points={{-35, 80}, {-22.5, 80}, {-22.5, 35}, {-10, 35}}, color={0, 0, 200}));
  connect(line.n, d3.n)
    annotation(Line(points={{-35, 80}, {-12.5, 80}, {-12.5, -10}, {10, -10}}, color={0, 0, 200}));
  connect(line.n, leakA.p) annotation(Line(points={{-35, 80}, {-10, 80}}, color={0, 0, 200}));
  connect(source.n, d2.p)
    annotation(Line(points={{-80, 80}, {-67.5, 80}, {-67.5, -10}, {-55, -10}}, color={0, 0, 200}));
  connect(source.n, d4.n)
    annotation(Line(points={{-80, 80}, {-57.5, 80}, {-57.5, -55}, {-35, -55}}, color={0, 0, 200}));
  connect(source.n, leakB.p)
    annotation(Line(points={{-80, 80}, {-67.5, 80}, {-67.5, 35}, {-55, 35}}, color={0, 0, 200}));
  connect(d1.n, c.p)
    annotation(Line(points={{10, 35}, {0, 35}, {0, -55}, {-10, -55}}, color={0, 0, 200}));
  connect(d2.n, c.p)
    annotation(Line(
      points={{-35, -10}, {-22.5, -10}, {-22.5, -55}, {-10, -55}},
      color={0, 0, 200}));
  connect(load.p, c.p)
    annotation(Line(points={{35, 80}, {12.5, 80}, {12.5, -55}, {-10, -55}}, color={0, 0, 200}));
  connect(d3.p, ground.p)
    annotation(Line(points={{-10, -10}, {-5, -10}, {-5, -90}, {0, -90}}, color={0, 0, 200}));
  connect(d4.p, ground.p)
    annotation(Line(points={{-55, -55}, {-27.5, -55}, {-27.5, -90}, {0, -90}}, color={0, 0, 200}));
  connect(c.n, ground.p)
    annotation(Line(points={{10, -55}, {5, -55}, {5, -90}, {0, -90}}, color={0, 0, 200}));
  connect(load.n, ground.p)
    annotation(Line(points={{55, 80}, {27.5, 80}, {27.5, -90}, {0, -90}}, color={0, 0, 200}));
  connect(leakA.n, ground.p)
    annotation(Line(points={{10, 80}, {5, 80}, {5, -90}, {0, -90}}, color={0, 0, 200}));
  connect(leakB.n, ground.p)
    annotation(Line(points={{-35, 35}, {-17.5, 35}, {-17.5, -90}, {0, -90}}, color={0, 0, 200}));
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
    Documentation(info="<html><p>Four coupled diodes: at an event the simulator finds the one combination that fits among sixteen.</p><p>Look at: two diodes at a time carry the pulses, one pair for each half wave.</p></html>"),
    experiment(StopTime=0.06, Interval=5e-5));
end BridgeRectifier;
