within Kairos.Blocks.Continuous;
block TransferFunction "A rational transfer function"
  extends Interfaces.OneToOne;
  parameter Real b[:] = {1} "Numerator, highest power first";
  parameter Real a[:] = {1, 1} "Denominator, highest power first";
  parameter Integer n = size(a, 1) - 1 "Order";
  Real x[n](each start=0, each fixed=true) "States";
protected
  parameter Real c[:] = cat(1, zeros(size(a, 1) - size(b, 1)), b)
    "Numerator with as many terms as the denominator";
  parameter Real d = c[1]/a[1] "Direct part";
equation
  for i in 1:n-1 loop
    der(x[i]) = x[i+1];
  end for;
  if n == 0 then
    y = d*u;
  else
    a[1]*der(x[n]) = u - sum(a[n+2-i]*x[i] for i in 1:n);
    y = d*u + sum((c[n+2-i] - d*a[n+2-i])*x[i] for i in 1:n);
  end if;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={0, 0, 127}),
      Text(extent={{-60, 10}, {60, 70}}, textString="b(s)", textColor={0, 0, 127}),
      Text(extent={{-60, -70}, {60, -10}}, textString="a(s)", textColor={0, 0, 127})}),
    Documentation(info="<html><p>y = b(s)/a(s) u, with coefficients from the highest power to the lowest. The numerator has at most as many terms as the denominator.</p></html>"));
end TransferFunction;
