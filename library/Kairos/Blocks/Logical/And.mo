within Kairos.Blocks.Logical;
block And "Both"
  extends Interfaces.TwoBooleans;
equation
  y = u1 and u2;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="and", textColor={255, 0, 255})}),
    Documentation(info="<html><p>True if both inputs are.</p></html>"));
end And;
