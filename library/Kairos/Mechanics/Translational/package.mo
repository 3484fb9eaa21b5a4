within Kairos.Mechanics;
package Translational "Bodies on a line"
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
    Documentation(info="<html><p>Bodies with positions and forces along one line.</p></html>"));
end Translational;
