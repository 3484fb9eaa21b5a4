within Kairos.Examples;
model TwoBlocks "Two blocks with friction between them and on the ground"
  Mechanics.Translational.Parts.Mass lower(m=1) "Block on the ground"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Mechanics.Translational.Parts.Mass upper(m=2) "Block on the other"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Mechanics.Translational.Parts.Friction ground(f0=8, peak=1.25) "Friction on the ground"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Mechanics.Translational.Parts.Friction between(f0=4, peak=1.25) "Friction between the blocks"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Mechanics.Translational.Parts.Fixed floor "Ground"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  Mechanics.Translational.Sources.Force pushLower(f=12*sin(2.6*time)) "Force on the lower block"
    annotation(Placement(transformation(extent={{-55, -20}, {-35, 0}})));
  Mechanics.Translational.Sources.Force pushUpper(f=6.4*sin(2.4*time)) "Force on the upper block"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
equation
  connect(floor.flange, ground.flange_a)
    annotation(Line(points={{0, 35}, {-27.5, 35}, {-27.5, 80}, {-55, 80}}, color={0, 127, 0}));
  connect(ground.flange_b, lower.flange_a)
    annotation(Line(points={{-35, 80}, {-100, 80}}, color={0, 127, 0}));
  connect(lower.flange_b, between.flange_a)
    annotation(Line(points={{-80, 80}, {-67.5, 80}, {-67.5, 35}, {-55, 35}}, color={0, 127, 0}));
  connect(between.flange_b, upper.flange_a)
    annotation(Line(points={{-35, 35}, {-22.5, 35}, {-22.5, 80}, {-10, 80}}, color={0, 127, 0}));
  connect(pushLower.flange, lower.flange_a)
    annotation(Line(points={{-35, -10}, {-67.5, -10}, {-67.5, 80}, {-100, 80}}, color={0, 127, 0}));
  connect(pushUpper.flange, upper.flange_b)
    annotation(Line(points={{55, 80}, {10, 80}}, color={0, 127, 0}));
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
    Documentation(info="<html><p>Each contact sticks or slides, and one can carry the other along.</p><p>Look at: the velocities agree while the blocks stick together; the friction force falls from its peak to the sliding force when a contact breaks loose.</p></html>"),
    experiment(StopTime=4, Interval=0.005));
end TwoBlocks;
