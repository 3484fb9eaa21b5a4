within Kairos.Mechanics.Rotational.Parts;
model ElasticBelt "Belt that stretches and slips"
  extends Interfaces.TwoFlanges;
  extends Thermal.Interfaces.Lossy;
  parameter Units.Length ra(min=1e-9) = 0.1 "Radius of the left pulley";
  parameter Units.Length rb(min=1e-9) = 0.1 "Radius of the right pulley";
  parameter Units.SpringStiffness c = 1e4 "Stiffness of the belt";
  parameter Units.DampingConstant d = 10 "Damping of the belt";
  parameter Units.Force fMax(min=0) = 1e3 "Difference of the belt's forces at which it slips";
  Units.Length stretch(start=0, fixed=true) "How far the pulling side is stretched";
  Units.Force f "Difference of the forces of both sides of the belt";
protected
  Units.Velocity v "Difference of the speeds of the pulleys' rims";
  Units.Force wanted "Force without slip";
equation
  v = ra*der(flange_a.phi) - rb*der(flange_b.phi);
  wanted = c*stretch + d*v;
  f = if wanted > fMax then fMax else if wanted < -fMax then -fMax else wanted;
  d*der(stretch) = f - c*stretch;
  flange_a.tau = ra*f;
  flange_b.tau = -rb*f;
  lossPower = d*der(stretch)^2 + f*(v - der(stretch));
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-80, -30}, {-20, 30}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{20, -30}, {80, 30}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-50, 30}, {0, 24}, {50, 30}}, color={0, 100, 0}),
      Line(points={{-50, -30}, {0, -24}, {50, -30}}, color={0, 100, 0})}),
    Documentation(info="<html><p>The pulling side is a spring and a damper; the belt slips when the force exceeds fMax.</p></html>"));
end ElasticBelt;
