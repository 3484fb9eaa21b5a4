within Kairos.Electrical.Ideal;
model Thyristor "Ideal thyristor"
  extends Interfaces.Valve(off(start=true, fixed=true));
  Blocks.Interfaces.BooleanInput fire "Gate"
    annotation(Placement(transformation(extent={{50, 100}, {70, 120}})));
equation
  off = s < 0 or pre(off) and (not fire or s <= 0);
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
      Line(points={{40, 0}, {60, 50}, {60, 100}}, color={0, 0, 200})}),
    Documentation(info="<html><p>Begins to conduct when it is fired under forward voltage and conducts until its current falls to zero.</p></html>"));
end Thyristor;
