within Kairos.Electrical.Sensors;
model PowerSensor "Measures power"
  Interfaces.Pin pc "Current goes in"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.Pin nc "Current comes out"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Interfaces.Pin pv "Voltage is measured from here"
    annotation(Placement(transformation(extent={{-10, 90}, {10, 110}})));
  Interfaces.Pin nv "Voltage is measured to here"
    annotation(Placement(transformation(extent={{-10, -110}, {10, -90}})));
  Blocks.Interfaces.RealOutput y(unit="W") "Power"
    annotation(Placement(transformation(extent={{-70, -120}, {-50, -100}})));
equation
  pc.v = nc.v;
  pc.i + nc.i = 0;
  pv.i = 0;
  nv.i = 0;
  y = (pv.v - nv.v)*pc.i;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 100}, {0, 60}}, color={0, 0, 200}),
      Line(points={{0, -60}, {0, -100}}, color={0, 0, 200}),
      Text(extent={{-40, -40}, {40, 40}}, textString="P", textColor={0, 0, 200})}),
    Documentation(info="<html><p>The product of the current through pc and nc and the voltage between pv and nv.</p></html>"));
end PowerSensor;
