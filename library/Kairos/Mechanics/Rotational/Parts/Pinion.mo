within Kairos.Mechanics.Rotational.Parts;
model Pinion "Pinion and rack"
  parameter Units.Length r(min=1e-9) = 0.01 "Radius: travel of the rack for each radian";
  Interfaces.Flange rotation "Shaft of the pinion"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Translational.Interfaces.Flange translation "Rack"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
equation
  translation.s = r*rotation.phi;
  rotation.tau + r*translation.f = 0;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-50, -20}, {50, 80}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-100, -20}, {100, -20}}, color={0, 100, 0})}),
    Documentation(
      info="<html><p>Turns rotation into travel: s = r phi, without losses.</p></html>"));
end Pinion;
