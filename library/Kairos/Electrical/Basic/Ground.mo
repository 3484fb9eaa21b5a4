within Kairos.Electrical.Basic;
model Ground "Potential zero"
  Interfaces.Pin p "Pin" annotation(Placement(transformation(extent={{-10, 90}, {10, 110}})));
equation
  p.v = 0;
  annotation(
    Icon(graphics={
      Line(points={{0, 100}, {0, 20}}, color={0, 0, 200}),
      Line(points={{-60, 20}, {60, 20}}, color={0, 0, 200}),
      Line(points={{-40, -10}, {40, -10}}, color={0, 0, 200}),
      Line(points={{-20, -40}, {20, -40}}, color={0, 0, 200})}),
    Documentation(
      info="<html><p>Gives its node the potential zero. Every circuit needs one.</p></html>"));
end Ground;
