within Kairos.Blocks.Continuous;
block SecondOrder "Second-order lag"
  extends Interfaces.OneToOne(y(start=0, fixed=true));
  parameter Real k = 1 "Gain";
  parameter Units.AngularVelocity w(min=0) = 1 "Natural frequency";
  parameter Real D(min=0) = 1 "Damping ratio";
  Real yd(start=0, fixed=true) "Derivative of the output";
equation
  der(y) = yd;
  der(yd) = w*(w*(k*u - y) - 2*D*yd);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(
        points={{-80, -60}, {-60, 20}, {-40, 60}, {-20, 40}, {0, 20}, {20, 30}, {80, 32}},
        color={0, 0, 127})}),
    Documentation(info="<html><p>The transfer function k/((s/w)^2 + 2 D s/w + 1).</p></html>"));
end SecondOrder;
