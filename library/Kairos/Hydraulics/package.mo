within Kairos;
package Hydraulics "Hydraulics"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -30}, {60, 30}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, -30}, {0, 30}}, color={0, 0, 255}),
      Line(points={{0, 0}, {90, 0}}, color={0, 0, 255})}),
    Documentation(info="<html><p>Oil under pressure. Valves and cylinders exist in three levels of abstraction, chosen by the parameter level: detailed (turbulent flow, opening in proportion, oil that gives), piecewise linear (two resistances and a switch), and ideal (open or shut; then the structure of the model changes when a valve switches).</p></html>"));
end Hydraulics;
