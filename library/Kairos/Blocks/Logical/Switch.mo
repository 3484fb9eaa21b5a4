within Kairos.Blocks.Logical;
block Switch "Chooses one of two signals"
  Interfaces.RealInput u1 "Signal for true"
    annotation(Placement(transformation(extent={{-120, 70}, {-100, 90}})));
  Interfaces.BooleanInput choose "Choice"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.RealInput u2 "Signal for false"
    annotation(Placement(transformation(extent={{-120, -90}, {-100, -70}})));
  Interfaces.RealOutput y "Chosen signal"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
equation
  y = if choose then u1 else u2;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-100, 80}, {-40, 80}, {40, 0}, {100, 0}}, color={255, 0, 255}),
      Line(points={{-100, -80}, {-40, -80}}, color={255, 0, 255})}),
    Documentation(info="<html><p>u1 while choose is true, u2 otherwise.</p></html>"));
end Switch;
