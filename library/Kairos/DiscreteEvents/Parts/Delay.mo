within Kairos.DiscreteEvents.Parts;
model Delay "Every entity takes the same time"
  extends Server(
    servers=capacity,
    mean=delayTime,
    final service=Types.Service.Random,
    final distribution=Random.Distribution.Constant);
  parameter Integer capacity(min=1) = 20 "Greatest number of entities on their way";
  parameter Units.Time delayTime(min=0) = 1 "How long they take";
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={0, 110, 110}),
      Line(points={{-60, -20}, {-60, 20}}, color={0, 110, 110}),
      Line(points={{60, -20}, {60, 20}}, color={0, 110, 110})}),
    Documentation(info="<html><p>A way that takes each entity the same time.</p></html>"));
end Delay;
