within Kairos.Blocks.Math;
block Division "Quotient of two signals"
  extends Interfaces.TwoToOne;
equation
  y = u1/u2;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="/", textColor={0, 0, 127})}),
    Documentation(info="<html><p>y = u1/u2.</p></html>"));
end Division;
