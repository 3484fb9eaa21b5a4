within Kairos.Blocks.Discrete;
block UnitDelay "Delay by one sampling period"
  extends Interfaces.Sampled;
  Interfaces.RealInput u "Input"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.RealOutput y "Input of the instant before"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
  parameter Real yStart = 0 "First output";
protected
  discrete Real held(start=yStart, fixed=true) "Last input";
initial equation
  pre(y) = yStart;
equation
  when tick then
    held = u;
    y = pre(held);
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="1/z", textColor={0, 0, 127})}),
    Documentation(info="<html><p>The input of the sampling instant before the last.</p></html>"));
end UnitDelay;
