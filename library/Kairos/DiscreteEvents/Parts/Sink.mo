within Kairos.DiscreteEvents.Parts;
model Sink "Where entities end"
  Interfaces.EntityIn enter "Arrivals"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Integer arrived "Number of entities";
  discrete Units.Time total(start=0, fixed=true) "Sum of their ages";
  discrete Real lastValue(start=0, fixed=true) "Value of the last one";
  Units.Time meanAge "Mean age when they arrived";
equation
  enter.ready = true;
  arrived = enter.number;
  when enter.number <> pre(enter.number) then
    total = pre(total) + time - enter.born;
    lastValue = enter.value;
  end when;
  meanAge = total/max(arrived, 1);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-30, -30}, {30, 30}},
        lineColor={0, 110, 110},
        fillColor={0, 110, 110},
        fillPattern=FillPattern.Solid)}),
    Documentation(
      info="<html><p>Takes every entity and keeps statistics of their age.</p></html>"));
end Sink;
