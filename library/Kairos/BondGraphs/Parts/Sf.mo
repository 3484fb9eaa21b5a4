within Kairos.BondGraphs.Parts;
model Sf "Source of flow"
  extends Interfaces.OnePort;
  parameter Real f0 = 1 "Flow into what is connected";
equation
  f = -f0;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="Sf", textColor={100, 0, 100})}),
    Documentation(info="<html><p>The flow out of the port is given.</p></html>"));
end Sf;
