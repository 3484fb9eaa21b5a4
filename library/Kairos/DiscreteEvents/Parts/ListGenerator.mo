within Kairos.DiscreteEvents.Parts;
model ListGenerator "Makes entities at given instants"
  extends Interfaces.Generator(next(start=times[1]));
  parameter Units.Time times[:] = {1, 2, 3} "Instants, ascending";
equation
  when due then
    next = if generated < size(times, 1) then times[min(generated + 1, size(times, 1))] else 1e60;
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 40}, {60, 40}}, color={0, 110, 110}),
      Line(points={{-60, 0}, {60, 0}}, color={0, 110, 110}),
      Line(points={{-60, -40}, {60, -40}}, color={0, 110, 110})}),
    Documentation(info="<html><p>An entity at each of the instants.</p></html>"));
end ListGenerator;
