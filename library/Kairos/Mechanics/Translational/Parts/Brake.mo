within Kairos.Mechanics.Translational.Parts;
model Brake "Brake"
  extends Interfaces.Compliant;
  extends Interfaces.DryFriction;
  extends Thermal.Interfaces.Lossy;
  parameter Units.Force fMax(min=0) = 1 "Sliding force when pressed with the full force";
  Blocks.Interfaces.RealInput u "Force on the pads, as a part of the full one"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  v = der(s_rel);
  a = der(v);
  free = u <= 0;
  fSlide = fMax*u;
  f = fFriction;
  lossPower = fFriction*v;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, 0}, {60, 40}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{-40, 40}, {40, 60}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 100}, {0, 60}}, color={0, 127, 0})}),
    Documentation(
      info="<html><p>Dry friction that a signal switches on: open, slipping or stuck.</p></html>"));
end Brake;
