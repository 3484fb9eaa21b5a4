within Kairos.Examples;
model Highway "Vehicles enter and leave a highway"
  Vehicle vehicle[4](
    entry={0.2, 1, 2.5, 4},
    vEntry={20, 25, 18, 30},
    vWanted={30, 35, 28, 33},
    each n=n) "Vehicles";
  Integer n "Number of vehicles on the road";
equation
  n = sum(if vehicle[i].present then 1 else 0 for i in 1:4);
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
    Documentation(info="<html><p>A vehicle has equations of motion only while it is on the road; its velocity jumps to that of its entry.</p><p>Look at: everybody slows down when another vehicle enters and speeds up when one leaves.</p></html>"),
    experiment(StopTime=12, Interval=0.01));
end Highway;
