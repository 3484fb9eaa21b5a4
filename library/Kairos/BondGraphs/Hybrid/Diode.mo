within Kairos.BondGraphs.Hybrid;
model Diode "Diode between two efforts"
  Interfaces.Port p1 "Flow comes in"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.Port p2 "Flow goes out"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Parts.ControlledJ1 junction(on(start=false)) "Open while off";
  Real f "Flow";
protected
  Real s "Parameter of the curve: flow while on, effort difference while off";
equation
  connect(p1, junction.enter[1]);
  connect(p2, junction.leave[1]);
  f = junction.f;
  s = if junction.on then f else p1.e - p2.e;
  junction.on = s > 0;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-40, 40}, {40, 0}, {-40, -40}},
        lineColor={100, 0, 100},
        fillColor={100, 0, 100},
        fillPattern=FillPattern.Solid),
      Line(points={{40, 40}, {40, -40}}, color={100, 0, 100})}),
    Documentation(info="<html><p>The junction is on while flow goes forward, and comes on when the effort drives it forward.</p></html>"));
end Diode;
