within Kairos.Mechanics.Translational.Sensors;
model ForceSensor "Measures a force"
  extends Interfaces.TwoFlanges;
  Blocks.Interfaces.RealOutput f(unit="N") "Force from left to right"
    annotation(Placement(transformation(extent={{-10, -120}, {10, -100}})));
equation
  flange_a.s = flange_b.s;
  flange_a.f + flange_b.f = 0;
  f = flange_a.f;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-40, -40}, {40, 40}}, textString="f", textColor={0, 127, 0})}),
    Documentation(
      info="<html><p>The force that the left point passes on to the right one.</p></html>"));
end ForceSensor;
