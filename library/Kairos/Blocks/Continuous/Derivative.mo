within Kairos.Blocks.Continuous;
block Derivative "Derivative with a filter"
  extends Interfaces.OneToOne;
  parameter Real k = 1 "Factor";
  parameter Units.Time T(min=1e-12) = 0.01 "Time constant of the filter";
  Real x(start=0, fixed=true) "Filtered input";
equation
  T*der(x) = u - x;
  y = k*der(x);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="s/(Ts+1)", textColor={0, 0, 127})}),
    Documentation(info="<html><p>Approximates the derivative: k s/(T s + 1).</p></html>"));
end Derivative;
