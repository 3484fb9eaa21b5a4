within Kairos.Hydraulics.Parts;
model ControlValve "Valve opened and shut by a signal"
  extends Interfaces.Valve;
  Blocks.Interfaces.BooleanInput command "True opens"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  open = command;
  wanted = if open then 1 else 0;
  if level == Interfaces.Level.PiecewiseLinear then
    dp = (if open then Ropen else Rshut)*q;
  elseif level == Interfaces.Level.Ideal then
    0 = if open then dp else q;
  end if;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 255}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-60, 40}, {0, 0}, {-60, -40}},
        lineColor={0, 0, 255},
        fillColor={0, 0, 255},
        fillPattern=FillPattern.Solid),
      Polygon(
        points={{60, 40}, {0, 0}, {60, -40}},
        lineColor={0, 0, 255},
        fillColor={0, 0, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 0}, {0, 100}}, color={0, 0, 255})}),
    Documentation(
      info="<html><p>Opens and shuts by a signal: gradually (detailed) or at once.</p></html>"));
end ControlValve;
