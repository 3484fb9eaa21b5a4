within Kairos.Electrical.Ideal;
model GTO "Ideal gate turn-off thyristor"
  extends Interfaces.Valve;
  Blocks.Interfaces.BooleanInput fire "Gate"
    annotation(Placement(transformation(extent={{50, 100}, {70, 120}})));
equation
  off = s < 0 or not fire or pre(off) and s <= 0;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={0, 0, 200}),
      Polygon(
        points={{-40, 40}, {40, 0}, {-40, -40}},
        lineColor={0, 0, 200},
        fillColor=DynamicSelect({0, 0, 200}, if off then {255, 255, 255} else {0, 0, 200}),
        fillPattern=FillPattern.Solid),
      Line(points={{40, 40}, {40, -40}}, color={0, 0, 200}),
      Line(points={{40, 0}, {60, 50}, {60, 100}}, color={0, 0, 200}),
      Line(points={{50, 60}, {70, 60}}, color={0, 0, 200})}),
    Documentation(info="<html><p>Conducts forward while its gate is true.</p></html>"));
end GTO;
