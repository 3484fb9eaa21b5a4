within Kairos.Electrical.Basic;
model Resistor "Resistor"
  extends Interfaces.OnePort;
  extends Thermal.Interfaces.Lossy;
  parameter Units.Resistance R(start=1) = 1 "Resistance at the reference temperature";
  parameter Units.Temperature Tref = 293.15 "Reference temperature";
  parameter Real alpha(unit="1/K") = 0 "Relative change of the resistance with temperature";
equation
  u = R*(1 + alpha*(temperature - Tref))*i;
  lossPower = u*i;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -30}, {60, 30}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-60, -80}, {60, -40}}, textString="%R", textColor={0, 0, 200})}),
    Documentation(info="<html><p>u = R i. The power u i leaves through the heat port.</p></html>"));
end Resistor;
