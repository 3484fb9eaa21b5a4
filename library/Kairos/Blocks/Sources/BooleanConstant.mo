within Kairos.Blocks.Sources;
block BooleanConstant "A constant truth value"
  extends Interfaces.BooleanSource;
  parameter Boolean k = true "Value";
equation
  y = k;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -40}, {80, 40}}, textString="%k", textColor={0, 0, 127})}),
    Documentation(info="<html><p>Always the value k.</p></html>"));
end BooleanConstant;
