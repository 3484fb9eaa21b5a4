within Kairos.Electrical.Ideal;
model Diode "Ideal diode"
  extends Interfaces.Valve;
equation
  off = s < 0 or pre(off) and s <= 0;
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
      Line(points={{40, 40}, {40, -40}}, color={0, 0, 200})}),
    Documentation(info="<html><p>Conducts from p to n and blocks the other way. Where neither voltage nor current decides, as beside a closed switch, it stays as it was.</p></html>"));
end Diode;
