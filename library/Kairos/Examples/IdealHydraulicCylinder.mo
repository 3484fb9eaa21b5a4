within Kairos.Examples;
model IdealHydraulicCylinder "The hydraulic cylinder with ideal valves and incompressible oil"
  extends Press(level=Hydraulics.Interfaces.Level.Ideal);
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
    Documentation(info="<html><p>With ideal valves the structure of the equations changes when a valve switches, and the oil does not give.</p><p>Look at: when the control valve shuts, the pressure jumps at once to what the throttle needs.</p></html>"),
    experiment(StopTime=0.1, Interval=1e-4));
end IdealHydraulicCylinder;
