within Kairos.BondGraphs.Hybrid;
model Clutch "Joins two flows while it is engaged"
  Interfaces.Port p1 "First side"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.Port p2 "Second side"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  input Boolean engaged "The sides have one flow";
  Parts.ControlledJ0 junction(nIn=1, nOut=1, on=engaged) "Transmits no effort while off";
equation
  connect(p1, junction.enter[1]);
  connect(p2, junction.leave[1]);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-20, -60}, {-5, 60}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{5, -60}, {20, 60}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>While engaged both sides have the same flow; the jump when it engages conserves momentum. While open no effort is transmitted.</p></html>"));
end Clutch;
