within Kairos.Blocks.Continuous;
block Integrator "Integral of a signal"
  extends Interfaces.OneToOne(y(start=0, fixed=true));
  parameter Real k = 1 "Factor";
equation
  der(y) = k*u;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="k/s", textColor={0, 0, 127})}),
    Documentation(
      info="<html><p>der(y) = k u; give y(start = ...) for another start value.</p></html>"));
end Integrator;
