within Kairos.Mechanics.Rotational.Parts;
model Brake "Brake"
  extends Interfaces.TwoFlanges;
  extends Interfaces.DryFriction;
  extends Thermal.Interfaces.Lossy;
  parameter Units.Torque tauMax(min=0) = 1 "Sliding torque when pressed with the full force";
  Blocks.Interfaces.RealInput u "Force on the pads, as a part of the full one"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  flange_a.phi = flange_b.phi;
  w = der(flange_a.phi);
  a = der(w);
  free = u <= 0;
  tauSlide = tauMax*u;
  flange_a.tau + flange_b.tau = tauFriction;
  lossPower = tauFriction*w;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-20, -60}, {20, 60}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{-30, 60}, {30, 80}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 100}, {0, 80}}, color={0, 100, 0})}),
    Documentation(info="<html><p>The shaft goes through; the pads brake it against the housing by dry friction.</p></html>"));
end Brake;
