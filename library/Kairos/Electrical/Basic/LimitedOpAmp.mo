within Kairos.Electrical.Basic;
model LimitedOpAmp "Operational amplifier with a finite gain and limits"
  Interfaces.Pin in_p "Positive input"
    annotation(Placement(transformation(extent={{-110, 40}, {-90, 60}})));
  Interfaces.Pin in_n "Negative input"
    annotation(Placement(transformation(extent={{-110, -60}, {-90, -40}})));
  Interfaces.Pin out "Output, against ground"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  parameter Real gain(min=1) = 1e5 "Open-loop gain";
  parameter Units.Voltage vMax = 12 "Positive supply";
  parameter Units.Voltage vMin(max=vMax) = -12 "Negative supply";
protected
  Units.Voltage wanted "Output without limits";
equation
  wanted = gain*(in_p.v - in_n.v);
  out.v = if wanted > vMax then vMax else if wanted < vMin then vMin else wanted;
  in_p.i = 0;
  in_n.i = 0;
  annotation(
    Icon(graphics={
      Line(points={{-80, 90}, {-80, -90}, {90, 0}, {-80, 90}}, color={0, 0, 200}),
      Text(extent={{-70, 30}, {-40, 70}}, textString="+", textColor={0, 0, 200}),
      Text(extent={{-70, -70}, {-40, -30}}, textString="-", textColor={0, 0, 200}),
      Line(points={{0, -20}, {10, -20}, {20, 20}, {30, 20}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>The output is the gain times the difference of the inputs, between the supplies.</p></html>"));
end LimitedOpAmp;
