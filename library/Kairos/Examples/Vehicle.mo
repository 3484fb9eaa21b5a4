within Kairos.Examples;
model Vehicle "A vehicle that enters and leaves a road"
  parameter Units.Time entry = 0 "When it enters";
  parameter Units.Velocity vEntry = 20 "Velocity at the entry";
  parameter Units.Velocity vWanted = 30 "Velocity that it wants";
  parameter Units.Time tau(min=1e-3) = 2 "How fast it adapts";
  parameter Units.Length road = 150 "Length of the road";
  parameter Real c(min=0) = 0.1 "How much each other vehicle slows it down";
  input Integer n "Number of vehicles on the road";
  Units.Length x(start=0, fixed=true) "Position";
  Units.Velocity v(start=0, fixed=true) "Velocity";
  Boolean present(start=false, fixed=true) "It is on the road";
protected
  Boolean gone(start=false, fixed=true) "It has left the road";
equation
  present = time >= entry and not gone;
  der(x) = if present then v else 0;
  der(v) = if present then (vWanted/(1 + c*(n - 1)) - v)/tau else 0;
  when x >= road then
    gone = true;
  end when;
  when present then
    reinit(v, vEntry);
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -20}, {60, 20}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{-50, -40}, {-20, -10}},
        lineColor={200, 100, 0},
        fillColor={200, 100, 0},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{20, -40}, {50, -10}},
        lineColor={200, 100, 0},
        fillColor={200, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Its velocity goes to what it wants, less for every other vehicle on the road.</p></html>"));
end Vehicle;
