within Kairos.Mechanics.Rotational.Parts;
model Clutch "Clutch"
  extends Interfaces.Compliant;
  extends Interfaces.DryFriction;
  extends Thermal.Interfaces.Lossy;
  parameter Units.Torque tauMax(min=0) = 1 "Sliding torque when pressed with the full force";
  Blocks.Interfaces.RealInput u "Force on the discs, as a part of the full one"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  w = der(phi_rel);
  a = der(w);
  free = u <= 0;
  tauSlide = tauMax*u;
  tau = tauFriction;
  lossPower = tauFriction*w;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-20, -60}, {-5, 60}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{5, -60}, {20, 60}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 100}, {0, 60}}, color={0, 100, 0})}),
    Documentation(info="<html><p>Two discs that are pressed together by a signal: open, slipping or stuck.</p></html>"));
end Clutch;
