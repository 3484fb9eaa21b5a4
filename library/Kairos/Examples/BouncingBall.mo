within Kairos.Examples;
model BouncingBall "A ball bounces and comes to rest"
  Mechanics.Translational.Parts.MassBetweenStops ball(m=0.1, g=-9.81, e=0.7, vRest=0.05, s(start=1))
    "Ball above the floor";
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
    Documentation(info="<html><p>At every impact the ball keeps 70 % of its speed; when it is too slow to bounce it stays on the floor.</p><p>Look at: the number of impacts is finite, and the run goes on past the last.</p></html>"),
    experiment(StopTime=3, Interval=0.005));
end BouncingBall;
