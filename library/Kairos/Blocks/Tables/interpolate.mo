within Kairos.Blocks.Tables;
function interpolate "Linear interpolation between points"
  input Real x[:] "Abscissas, ascending";
  input Real y[size(x, 1)] "Ordinates";
  input Real at "Where";
  output Real value "Interpolated; held beyond the ends";
protected
  Integer k "Interval";
algorithm
  if at <= x[1] then
    value := y[1];
  elseif at >= x[size(x, 1)] then
    value := y[size(x, 1)];
  else
    k := 1;
    while k < size(x, 1) - 1 and at >= x[k+1] loop
      k := k + 1;
    end while;
    value := y[k] + (y[k+1] - y[k])*(at - x[k])/(x[k+1] - x[k]);
  end if;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-80, -60}, {80, 60}}, textString="f", textColor={0, 0, 127})}),
    Documentation(info="<html><p>The value at a point by straight lines between the given ones; beyond the first and the last the value is held.</p></html>"));
end interpolate;
