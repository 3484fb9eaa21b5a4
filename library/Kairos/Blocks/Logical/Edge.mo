within Kairos.Blocks.Logical;
block Edge "Finds rising edges"
  extends Interfaces.BooleanToBoolean;
  Interfaces.IntegerOutput count(start=0, fixed=true) "Number of edges"
    annotation(Placement(transformation(extent={{100, -70}, {120, -50}})));
equation
  y = edge(u);
  when u then
    count = pre(count) + 1;
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, -50}, {0, -50}, {0, 50}, {60, 50}}, color={255, 0, 255})}),
    Documentation(info="<html><p>True for the instant at which the input becomes true; counts these instants.</p></html>"));
end Edge;
