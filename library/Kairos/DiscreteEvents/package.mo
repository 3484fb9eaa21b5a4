within Kairos;
package DiscreteEvents "Flow of entities"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-80, -20}, {-20, 20}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-20, 0}, {20, 0}}, color={0, 110, 110}),
      Ellipse(
        extent={{20, -20}, {60, 20}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Generators, queues, servers, routers and sinks that pass entities on: customers, packets, parts.</p><p>An entity has a birth time, a priority (a smaller number goes first) and a value. It moves on as soon as the next part is ready for it. Arrivals at an instant come before departures of that instant.</p></html>"));
end DiscreteEvents;
