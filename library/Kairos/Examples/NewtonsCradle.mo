within Kairos.Examples;
model NewtonsCradle "Newton's cradle"
  parameter Integer n = 5 "Number of balls";
  Mechanics.Translational.Parts.CollidingBodies balls(
    n=n,
    s(start={if i == 1 then -0.1 else 0 for i in 1:n}))
    "Balls, given as distances from their rest positions"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Mechanics.Translational.Parts.Spring gravity[n](each c=9) "Leads each ball back"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Mechanics.Translational.Parts.Fixed ceiling "Where they hang"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
equation
  for i in 1:n loop
    connect(ceiling.flange, gravity[i].flange_a)
      annotation(Line(points={{0, 80}, {-55, 80}}, color={0, 127, 0}));
    connect(gravity[i].flange_b, balls.flange[i])
      annotation(Line(points={{-35, 80}, {-62.5, 80}, {-62.5, 70}, {-90, 70}}, color={0, 127, 0}));
  end for;
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
    Documentation(info="<html><p>The ball on the left hits the row; the impact runs through it in no time and the ball on the right flies off.</p><p>Look at: only the outer balls move, although every ball takes part in each impact.</p></html>"),
    experiment(StopTime=4.6, Interval=0.005));
end NewtonsCradle;
