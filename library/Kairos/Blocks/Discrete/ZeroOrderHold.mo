within Kairos.Blocks.Discrete;
block ZeroOrderHold "Holds a sampled signal"
  extends Interfaces.Sampled;
  Interfaces.RealInput u "Signal"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.RealOutput y "Held value"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
protected
  discrete Real held(start=0, fixed=true) "Last sample";
equation
  when tick then
    held = u;
  end when;
  y = held;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(
        points={{-80, -50}, {-40, -50}, {-40, 0}, {0, 0}, {0, 40}, {40, 40}, {40, 10}, {80, 10}},
        color={0, 0, 127})}),
    Documentation(
      info="<html><p>Samples its input and holds the value until the next instant.</p></html>"));
end ZeroOrderHold;
