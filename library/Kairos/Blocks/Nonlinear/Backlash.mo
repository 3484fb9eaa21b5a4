within Kairos.Blocks.Nonlinear;
block Backlash "Play between input and output"
  extends Interfaces.OneToOne(y(start=0, fixed=true));
  parameter Real b(min=0) = 1 "Whole width of the play";
protected
  Real v "Rate of the input";
  Boolean up(start=false, fixed=true) "The input pushes up";
  Boolean down(start=false, fixed=true) "The input pushes down";
equation
  v = der(u);
  up = (pre(up) or u - y > b/2) and v > 0;
  down = (pre(down) or u - y < -b/2) and v < 0;
  der(y) = if up or down then v else 0;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -50}, {0, -50}, {60, 50}, {80, 50}}, color={0, 0, 127}),
      Line(points={{-80, -50}, {-60, -50}, {0, 50}, {80, 50}}, color={0, 0, 127})}),
    Documentation(info="<html><p>The output moves only while the input pushes it from one side of the play. The input must be differentiable.</p></html>"));
end Backlash;
