within Kairos.Blocks.Continuous;
block PI "Proportional and integral control"
  extends Interfaces.OneToOne;
  parameter Real k = 1 "Gain";
  parameter Units.Time Ti(min=1e-12) = 1 "Integral time";
  Real x(start=0, fixed=true) "Integral part";
equation
  Ti*der(x) = u;
  y = k*(u + x);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="PI", textColor={0, 0, 127})}),
    Documentation(info="<html><p>k (1 + 1/(Ti s)), without limits.</p></html>"));
end PI;
