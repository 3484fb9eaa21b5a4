within Kairos.Blocks.Sources;
block BooleanPulse "A periodic truth value"
  extends Interfaces.BooleanSource;
  parameter Units.Time period(min=1e-12) = 1 "Time between rising edges";
  parameter Real width(min=0, max=1) = 0.5 "Part of the period during which it is true";
  parameter Units.Time startTime = 0 "First rising edge";
protected
  discrete Units.Time rise(start=startTime - period, fixed=true) "The last rising edge";
equation
  when sample(startTime, period) then
    rise = time;
  end when;
  y = time >= startTime and time < rise + width*period;
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
    Documentation(info="<html><p>True during the first part of every period.</p></html>"));
end BooleanPulse;
