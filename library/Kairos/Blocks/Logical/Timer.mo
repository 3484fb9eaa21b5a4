within Kairos.Blocks.Logical;
block Timer "Measures how long a signal is true"
  Interfaces.BooleanInput u "Signal"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.RealOutput y "Time since the signal became true, 0 while it is false"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
protected
  discrete Units.Time begun(start=0, fixed=true) "When it became true";
equation
  when {u, initial()} then
    begun = time;
  end when;
  y = if u then time - begun else 0;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 0}, {0, 50}}, color={255, 0, 255}),
      Line(points={{0, 0}, {30, -20}}, color={255, 0, 255})}),
    Documentation(info="<html><p>The time since the rising edge of the input.</p></html>"));
end Timer;
