within Kairos.Examples;
model HydraulicCylinder
  "A hydraulic cylinder with relief valve, in two levels of abstraction side by side"
  Press detailed(level=Hydraulics.Interfaces.Level.Detailed) "Turbulent flow, gradual opening"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Press linear(level=Hydraulics.Interfaces.Level.PiecewiseLinear) "Two resistances for each valve"
    annotation(Placement(transformation(extent={{-100, 25}, {-80, 45}})));
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-40, 50}, {50, 0}, {-40, -50}},
        lineColor={200, 100, 0},
        fillColor={200, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>The level of abstraction is one parameter; everything else is the same.</p><p>Look at: velocity and pressure agree but for the details of opening and shutting.</p></html>"),
    experiment(StopTime=0.1, Interval=1e-4));
end HydraulicCylinder;
