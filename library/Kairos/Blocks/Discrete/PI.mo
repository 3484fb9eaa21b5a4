within Kairos.Blocks.Discrete;
block PI "Sampled PI control"
  extends Interfaces.Sampled;
  Interfaces.RealInput u "Control error"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.RealOutput y "Control signal"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
  parameter Real k = 1 "Gain";
  parameter Units.Time Ti(min=1e-12) = 1 "Integral time";
  discrete Real x(start=0, fixed=true) "Integral part";
equation
  when tick then
    x = pre(x) + period/Ti*u;
    y = k*(x + u);
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="PI(z)", textColor={0, 0, 127})}),
    Documentation(info="<html><p>x grows by period/Ti times the error at every instant; y = k (x + u).</p></html>"));
end PI;
