within Kairos.Mechanics.Rotational.Parts;
model Bearing "Dry friction of a bearing"
  extends Interfaces.TwoFlanges;
  extends Interfaces.DryFriction;
  extends Thermal.Interfaces.Lossy;
  parameter Units.Torque tau0(min=0) = 1 "Sliding torque at low speed";
  parameter Units.RotationalDamping d = 0 "Growth of the sliding torque with speed";
equation
  flange_a.phi = flange_b.phi;
  w = der(flange_a.phi);
  a = der(w);
  free = false;
  tauSlide = tau0 + d*abs(w);
  flange_a.tau + flange_b.tau = tauFriction;
  lossPower = tauFriction*w;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, 20}, {60, 50}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{-60, -50}, {60, -20}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>The shaft goes through; the housing brakes it by dry friction, with a peak when it starts.</p></html>"));
end Bearing;
