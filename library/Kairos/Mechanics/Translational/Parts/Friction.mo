within Kairos.Mechanics.Translational.Parts;
model Friction "Dry friction between two points"
  extends Interfaces.Compliant;
  extends Interfaces.DryFriction;
  extends Thermal.Interfaces.Lossy;
  parameter Units.Force f0(min=0) = 1 "Sliding force at low speed";
  parameter Units.DampingConstant d = 0 "Growth of the sliding force with speed";
equation
  v = der(s_rel);
  a = der(v);
  free = false;
  fSlide = f0 + d*abs(v);
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
      Line(points={{-60, -10}, {60, -10}}, color={0, 127, 0}),
      Line(points={{-40, -30}, {-20, -10}}, color={0, 127, 0}),
      Line(points={{0, -30}, {20, -10}}, color={0, 127, 0})}),
    Documentation(info="<html><p>Two bodies that rub on each other, with a peak when they start to slide. Connect one side to a fixed point for friction on the ground.</p></html>"));
end Friction;
