within Kairos.Electrical.Basic;
model Inductor "Inductor"
  extends Interfaces.OnePort(i(start=0, fixed=true));
  parameter Units.Inductance L(min=0) = 1e-3 "Inductance";
equation
  u = L*der(i);
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -20}, {-20, 20}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{-20, -20}, {20, 20}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{20, -20}, {60, 20}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>u = L der(i). It starts with i(start); set fixed = false if the circuit itself determines the current.</p></html>"));
end Inductor;
