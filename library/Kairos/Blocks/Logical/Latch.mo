within Kairos.Blocks.Logical;
block Latch "Set and reset"
  Interfaces.BooleanInput set "Makes the output true"
    annotation(Placement(transformation(extent={{-120, 50}, {-100, 70}})));
  Interfaces.BooleanInput reset "Makes the output false; prevails"
    annotation(Placement(transformation(extent={{-120, -70}, {-100, -50}})));
  Interfaces.BooleanOutput y "Memory"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
  parameter Boolean yStart = false "Output at the start";
initial equation
  pre(y) = yStart;
equation
  y = (set or pre(y)) and not reset;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, 10}, {0, 80}}, textString="S", textColor={255, 0, 255}),
      Text(extent={{-80, -80}, {0, -10}}, textString="R", textColor={255, 0, 255}),
      Text(extent={{0, 10}, {80, 80}}, textString="Q", textColor={255, 0, 255})}),
    Documentation(
      info="<html><p>Remembers whether it was set or reset last; a reset prevails.</p></html>"));
end Latch;
