within Kairos.Blocks.Math;
block Sum "Weighted sum of any number of signals"
  parameter Integer n(min=1) = 2 "Number of inputs";
  parameter Real k[n] = fill(1, n) "Weights";
  Interfaces.RealInput u[n] "Inputs"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.RealOutput y "Output"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
equation
  y = k*u;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{50, 60}, {-40, 60}, {10, 0}, {-40, -60}, {50, -60}}, color={0, 0, 127})}),
    Documentation(info="<html><p>y is the sum of k[i] u[i].</p></html>"));
end Sum;
