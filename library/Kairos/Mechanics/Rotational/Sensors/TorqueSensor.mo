within Kairos.Mechanics.Rotational.Sensors;
model TorqueSensor "Measures a torque"
  extends Interfaces.TwoFlanges;
  Blocks.Interfaces.RealOutput tau(unit="N.m") "Torque from left to right"
    annotation(Placement(transformation(extent={{-10, -120}, {10, -100}})));
equation
  flange_a.phi = flange_b.phi;
  flange_a.tau + flange_b.tau = 0;
  tau = flange_a.tau;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-40, -40}, {40, 40}}, textString="tau", textColor={0, 100, 0})}),
    Documentation(
      info="<html><p>The torque that the left shaft passes on to the right one.</p></html>"));
end TorqueSensor;
