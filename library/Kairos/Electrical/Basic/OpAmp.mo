within Kairos.Electrical.Basic;
model OpAmp "Ideal operational amplifier"
  Interfaces.Pin in_p "Positive input"
    annotation(Placement(transformation(extent={{-110, 40}, {-90, 60}})));
  Interfaces.Pin in_n "Negative input"
    annotation(Placement(transformation(extent={{-110, -60}, {-90, -40}})));
  Interfaces.Pin out "Output, against ground"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
equation
  in_p.v = in_n.v;
  in_p.i = 0;
  in_n.i = 0;
  annotation(
    Icon(graphics={
      Line(points={{-80, 90}, {-80, -90}, {90, 0}, {-80, 90}}, color={0, 0, 200}),
      Text(extent={{-70, 30}, {-40, 70}}, textString="+", textColor={0, 0, 200}),
      Text(extent={{-70, -70}, {-40, -30}}, textString="-", textColor={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>Infinite gain: the feedback of the circuit makes both input potentials equal; the inputs take no current.</p></html>"));
end OpAmp;
