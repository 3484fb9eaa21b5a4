within Kairos.Blocks.Nonlinear;
block Relay "Two-point characteristic"
  extends Interfaces.OneToOne;
  parameter Real yOn = 1 "Output for a positive input";
  parameter Real yOff = -1 "Output for a negative input";
equation
  y = if u > 0 then yOn else yOff;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -50}, {0, -50}, {0, 50}, {80, 50}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Switches where the input changes its sign. In a feedback loop it can lead to a sliding mode, which the simulator follows on the surface.</p></html>"));
end Relay;
