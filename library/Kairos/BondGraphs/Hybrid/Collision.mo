within Kairos.BondGraphs.Hybrid;
model Collision "Two bodies that stay together after they meet"
  Interfaces.Port p1 "First body"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.Port p2 "Second body"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  parameter Real distance = 1 "Distance at the start";
  Real gap(start=distance, fixed=true) "Distance";
  Boolean together(start=false, fixed=true) "They have met";
  Parts.ControlledJ0 junction(on=together) "Transmits no effort before they meet";
equation
  connect(p1, junction.enter[1]);
  connect(p2, junction.leave[1]);
  der(gap) = -(p1.f + p2.f);
  when gap <= 0 then
    together = true;
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -30}, {0, 30}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{0, -30}, {60, 30}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>The first body runs into the second. From then on they have one flow; the impact conserves momentum.</p></html>"));
end Collision;
