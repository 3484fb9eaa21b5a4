within Kairos.DiscreteEvents.Parts;
model PeriodicGenerator "Makes entities periodically"
  extends Interfaces.Generator(startTime=period);
  parameter Units.Time period(min=1e-12) = 1 "Time between two entities";
equation
  when due then
    next = startTime + generated*period;
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 0}, {0, 50}}, color={0, 110, 110}),
      Line(points={{0, 0}, {30, 0}}, color={0, 110, 110})}),
    Documentation(info="<html><p>An entity at startTime and after every period.</p></html>"));
end PeriodicGenerator;
