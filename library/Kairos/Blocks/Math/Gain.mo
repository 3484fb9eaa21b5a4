within Kairos.Blocks.Math;
block Gain "Multiplies by a constant"
  extends Interfaces.OneToOne;
  parameter Real k = 1 "Factor";
equation
  y = k*u;
  annotation(
    Icon(graphics={
      Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={0, 0, 127},
        fillColor={0, 0, 127},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>y = k u.</p></html>"));
end Gain;
