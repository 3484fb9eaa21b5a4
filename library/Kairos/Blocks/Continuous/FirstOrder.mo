within Kairos.Blocks.Continuous;
block FirstOrder "First-order lag"
  extends Interfaces.OneToOne(y(start=0, fixed=true));
  parameter Real k = 1 "Gain";
  parameter Units.Time T(min=1e-12) = 1 "Time constant";
equation
  T*der(y) + y = k*u;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -60}, {-60, -10}, {-30, 25}, {10, 45}, {80, 55}}, color={0, 0, 127})}),
    Documentation(info="<html><p>The transfer function k/(T s + 1).</p></html>"));
end FirstOrder;
