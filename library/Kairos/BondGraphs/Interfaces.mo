within Kairos.BondGraphs;
package Interfaces "Ports of bond graphs"
  connector Port "Power port"
    Real e "Effort";
    flow Real f "Flow into the part";
    annotation(
      Icon(graphics={Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={100, 0, 100},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Effort and the flow into the part; their product is the power taken up.</p></html>"));
  end Port;
  partial model OnePort "Part with one port"
    Port p "Port" annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
    Real e "Effort";
    Real f "Flow into the part";
  equation
    e = p.e;
    f = p.f;
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={100, 0, 100},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the parts with one port.</p></html>"));
  end OnePort;
  partial model TwoPort "Part with two ports, power goes from the first to the second"
    Port p1 "Power comes in" annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
    Port p2 "Power goes out" annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
    Real e1 "Effort of the first port";
    Real f1 "Flow into the first port";
    Real e2 "Effort of the second port";
    Real f2 "Flow out of the second port";
  equation
    e1 = p1.e;
    f1 = p1.f;
    e2 = p2.e;
    f2 = -p2.f;
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={100, 0, 100},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of transformers, gyrators and bonds: power goes through from the first port to the second.</p></html>"));
  end TwoPort;
  partial model Junction "Part with entrances and exits"
    parameter Integer nIn(min=0) = 1 "Number of bonds that come in";
    parameter Integer nOut(min=0) = 1 "Number of bonds that go out";
    Port enter[nIn] "Bonds whose half arrows point to the junction"
      annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
    Port leave[nOut] "Bonds whose half arrows point away"
      annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={100, 0, 100},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the junctions.</p></html>"));
  end Junction;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-70, 0}, {60, 0}}, color={100, 0, 100}),
      Line(points={{60, 0}, {40, 20}}, color={100, 0, 100})}),
    Documentation(info="<html><p>What bond graph parts connect with.</p></html>"));
end Interfaces;
