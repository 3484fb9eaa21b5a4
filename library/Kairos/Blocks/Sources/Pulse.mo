within Kairos.Blocks.Sources;
block Pulse "A pulse train"
  extends Interfaces.Source;
  parameter Real amplitude = 1 "Height of the pulses";
  parameter Units.Time period(min=1e-12) = 1 "Time between rising edges";
  parameter Real width(min=0, max=1) = 0.5 "Part of the period during which the pulse is high";
  parameter Real offset = 0 "Value between the pulses";
  parameter Units.Time startTime = 0 "First rising edge";
protected
  BooleanPulse pulse(period=period, width=width, startTime=startTime) "When it is high";
equation
  y = offset + (if pulse.y then amplitude else 0);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(
        points={{-80, -40}, {-60, -40}, {-60, 40}, {-20, 40}, {-20, -40}, {20, -40}, {20, 40},
          {60, 40}, {60, -40}, {80, -40}},
        color={0, 0, 127})}),
    Documentation(info="<html><p>A periodic pulse of the given width.</p></html>"));
end Pulse;
