within Kairos.Hydraulics.Parts;
model Cylinder "Cylinder with a piston of finite mass"
  parameter Interfaces.Level level = Interfaces.Level.PiecewiseLinear
    "Level of abstraction: with Ideal the oil does not give" annotation(Evaluate=true);
  parameter Units.Area A(min=1e-12) = 1e-3 "Area of the piston";
  parameter Units.Mass m = 1 "Mass of the piston and of what moves with it";
  parameter Units.DampingConstant d = 0 "Friction of the piston";
  parameter Units.HydraulicCompliance C(min=1e-30) = 1e-12 "Compliance of the oil in the chamber";
  parameter Units.HydraulicResistance R = 0 "Inner resistance of the oil, which dissipates";
  parameter Units.Pressure pStart = 0 "Pressure at the start, if the oil gives";
  Interfaces.Port port "Port of the chamber"
    annotation(Placement(transformation(extent={{-110, -70}, {-90, -50}})));
  Mechanics.Translational.Interfaces.Flange flange "Rod"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Units.Length s(start=0, fixed=true) "Position of the piston; it grows as oil flows in";
  Units.Velocity v(start=0, fixed=true) "Velocity of the piston";
  Units.Pressure p "Pressure on the piston";
  Units.Pressure pOil(start=pStart, fixed=level <> Interfaces.Level.Ideal)
    "Pressure that compresses the oil";
protected
  Units.VolumeFlowRate q "Flow that compresses the oil";
equation
  s = flange.s;
  v = der(s);
  m*der(v) = p*A - d*v + flange.f;
  p = port.p;
  q = port.q - A*v;
  if level == Interfaces.Level.Ideal then
    q = 0;
    pOil = p;
  else
    C*der(pOil) = q;
    p = pOil + R*q;
  end if;
  annotation(
    Icon(graphics={
      Line(points={{-80, -40}, {40, -40}}, color={0, 0, 255}),
      Line(points={{-80, 40}, {40, 40}}, color={0, 0, 255}),
      Line(points={{-80, 40}, {-80, -40}}, color={0, 0, 255}),
      Rectangle(
        extent={{-10, -40}, {10, 40}},
        lineColor={0, 0, 255},
        fillColor={0, 0, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{10, 0}, {100, 0}}, color={0, 0, 255}),
      Line(points={{-100, -60}, {-60, -40}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>The oil drives the piston with p A. In the detailed and the piecewise-linear level the oil in the chamber gives; in the ideal level it does not, and the piston moves exactly as oil flows.</p></html>"));
end Cylinder;
