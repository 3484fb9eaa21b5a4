within Kairos.Blocks.Continuous;
block LimitedIntegrator "Integral that stops at its limits"
  extends Interfaces.OneToOne;
  parameter Real k = 1 "Factor";
  parameter Real yMin = -1 "Lower limit";
  parameter Real yMax(min=yMin) = 1 "Upper limit";
  parameter Real yStart(min=yMin, max=yMax) = 0 "Start value";
protected
  Boolean above(start=false, fixed=true) "Held at the upper limit";
  Boolean below(start=false, fixed=true) "Held at the lower limit";
  Real x(start=yStart, fixed=true) "Integral";
equation
  above = (pre(above) or x > yMax) and u*k > 0;
  below = (pre(below) or x < yMin) and u*k < 0;
  der(x) = if above or below then 0 else k*u;
  y = min(max(x, yMin), yMax);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -50}, {-40, -50}, {40, 50}, {80, 50}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Integrates, but no further than the limits, and leaves a limit at once when the input changes its sign (anti-windup).</p></html>"));
end LimitedIntegrator;
