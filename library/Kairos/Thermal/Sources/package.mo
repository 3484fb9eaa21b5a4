within Kairos.Thermal;
package Sources "Thermal sources"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={191, 0, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-60, 50}, {40, 0}, {-60, -50}},
        lineColor={191, 0, 0},
        fillColor={191, 0, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Given temperatures and heat flows.</p></html>"));
end Sources;
