within Kairos.Mechanics.Rotational.Sensors;
model PowerSensor "Measures power"
  extends Interfaces.TwoFlanges;
  Blocks.Interfaces.RealOutput power(unit="W") "Power from left to right"
    annotation(Placement(transformation(extent={{-10, -120}, {10, -100}})));
equation
  flange_a.phi = flange_b.phi;
  flange_a.tau + flange_b.tau = 0;
  power = flange_a.tau*der(flange_a.phi);
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
      Text(extent={{-40, -40}, {40, 40}}, textString="P", textColor={0, 100, 0})}),
    Documentation(info="<html><p>The power that goes through the shaft.</p></html>"));
end PowerSensor;
