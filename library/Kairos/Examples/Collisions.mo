within Kairos.Examples;
model Collisions "Three free bodies collide"
  Mechanics.Translational.Parts.CollidingBodies bodies(
    n=3,
    m={2, 1, 3},
    e=0.8,
    s(start={0, 1, 1.5}),
    v(start={3, 0, -0.5})) "Bodies in a row";
  Units.Impulse momentum "Sum of the momenta";
  Units.Energy energy "Kinetic energy";
equation
  momentum = bodies.m*bodies.v;
  energy = sum(bodies.m[i]*bodies.v[i]^2/2 for i in 1:3);
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
    Documentation(info="<html><p>Bodies of different masses with restitution 0.8.</p><p>Look at: the velocities jump, the momentum stays, the energy falls at every collision.</p></html>"),
    experiment(StopTime=1, Interval=0.001));
end Collisions;
