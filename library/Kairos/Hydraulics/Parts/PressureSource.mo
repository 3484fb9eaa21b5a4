within Kairos.Hydraulics.Parts;
model PressureSource "Pressure given by a signal"
  Blocks.Interfaces.RealInput p(unit="Pa") "Pressure"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.Port port "Port" annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
equation
  port.p = p;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="p", textColor={0, 0, 255})}),
    Documentation(info="<html><p>The pressure follows the signal.</p></html>"));
end PressureSource;
