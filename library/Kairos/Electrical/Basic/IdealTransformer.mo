within Kairos.Electrical.Basic;
model IdealTransformer "Transformer without losses"
  extends Interfaces.TwoPort;
  parameter Real n = 1 "Turns of the first side for each turn of the second";
equation
  u1 = n*u2;
  i2 = -n*i1;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-40, -60}, {0, 60}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{0, -60}, {40, 60}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(
      info="<html><p>u1 = n u2, i2 = -n i1: no power is lost and none is stored.</p></html>"));
end IdealTransformer;
