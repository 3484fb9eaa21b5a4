within Kairos.Mechanics.Translational;
package Parts "Parts that move along a line"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-50, -30}, {50, 30}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(
      info="<html><p>Masses, springs, dampers, friction, stops and contacts.</p></html>"));
end Parts;
