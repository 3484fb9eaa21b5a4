within Kairos.Electrical.Basic;
model Transformer "Two coupled inductors"
  extends Interfaces.TwoPort(i1(start=0, fixed=true), i2(start=0, fixed=true));
  parameter Units.Inductance L1(min=0) = 1 "Inductance of the first side";
  parameter Units.Inductance L2(min=0) = 1 "Inductance of the second side";
  parameter Units.Inductance M = 0.9 "Mutual inductance; its square is less than L1 L2";
equation
  u1 = L1*der(i1) + M*der(i2);
  u2 = M*der(i1) + L2*der(i2);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {-20, 60}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{20, -60}, {60, 60}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 70}, {0, -70}}, color={0, 0, 200})}),
    Documentation(
      info="<html><p>The inductances L1 and L2 with the mutual inductance M.</p></html>"));
end Transformer;
