within Kairos.Blocks.Logical;
block OnDelay "Passes a truth value on when it lasts"
  extends Interfaces.BooleanToBoolean;
  parameter Units.Time delayTime(min=0) = 0.1 "How long the input must be true";
protected
  discrete Units.Time due(start=1e60, fixed=true) "When the output becomes true";
equation
  when u then
    due = time + delayTime;
  elsewhen not u then
    due = 1e60;
  end when;
  y = u and time >= due;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -50}, {-40, -50}, {-40, 50}, {60, 50}, {60, -50}}, color={255, 0, 255}),
      Line(points={{0, -50}, {0, 20}, {60, 20}}, color={255, 0, 255})}),
    Documentation(info="<html><p>True when the input has been true for the given time; false with the input.</p></html>"));
end OnDelay;
