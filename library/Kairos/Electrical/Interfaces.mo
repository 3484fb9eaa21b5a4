within Kairos.Electrical;
package Interfaces "Connectors and bases of the electrical parts"
  connector Pin "Electrical pin"
    Units.Voltage v "Potential";
    flow Units.Current i "Current flowing into the part";
    annotation(
      Icon(graphics={Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 200},
        fillColor={0, 0, 200},
        fillPattern=FillPattern.Solid)}),
      Documentation(
        info="<html><p>Potential and the current that flows into the part.</p></html>"));
  end Pin;
  partial model OnePort "Two pins, the same current in both"
    Pin p "Positive pin" annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
    Pin n "Negative pin" annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
    Units.Voltage u "Voltage from p to n";
    Units.Current i "Current from p to n";
  equation
    u = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
        Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the parts with two pins. Voltage and current count positive from p to n, so that u i is the power taken up.</p></html>"));
  end OnePort;
  partial model TwoPort "Two pairs of pins"
    Pin p1 "Positive pin of the first side"
      annotation(Placement(transformation(extent={{-110, 50}, {-90, 70}})));
    Pin n1 "Negative pin of the first side"
      annotation(Placement(transformation(extent={{-110, -70}, {-90, -50}})));
    Pin p2 "Positive pin of the second side"
      annotation(Placement(transformation(extent={{90, 50}, {110, 70}})));
    Pin n2 "Negative pin of the second side"
      annotation(Placement(transformation(extent={{90, -70}, {110, -50}})));
    Units.Voltage u1 "Voltage of the first side";
    Units.Voltage u2 "Voltage of the second side";
    Units.Current i1 "Current into the first side";
    Units.Current i2 "Current into the second side";
  equation
    u1 = p1.v - n1.v;
    u2 = p2.v - n2.v;
    i1 = p1.i;
    i2 = p2.i;
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 0, 200},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the parts with two sides.</p></html>"));
  end TwoPort;
  partial model Valve "Ideal valve: a bent characteristic, run through by a parameter"
    extends OnePort;
    extends Thermal.Interfaces.Lossy;
    parameter Units.Resistance Ron = 0 "Resistance when conducting";
    parameter Units.Conductance Goff = 0 "Conductance when blocking";
    parameter Units.Voltage Vknee(min=0) = 0 "Forward voltage at which it begins to conduct";
    Boolean off(start=true) "Blocks";
  protected
    Real s "Parameter of the curve: voltage while blocking, current while conducting";
    constant Units.Voltage volt = 1 "Unit of the parameter while blocking";
    constant Units.Current ampere = 1 "Unit of the parameter while conducting";
  equation
    u = Vknee + (if off then s*volt else Ron*s*ampere);
    i = if off then Goff*s*volt else s*ampere;
    lossPower = u*i;
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
        Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
        Polygon(
          points={{-40, 40}, {40, 0}, {-40, -40}},
          lineColor={0, 0, 200},
          fillColor={0, 0, 200},
          fillPattern=FillPattern.Solid),
        Line(points={{40, 40}, {40, -40}}, color={0, 0, 200})}),
      Documentation(info="<html><p>Base of diode, thyristor and GTO. The characteristic has a blocking and a conducting branch that meet where s = 0; what makes the part block is left to those that extend it.</p></html>"));
  end Valve;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-30, -30}, {30, 30}},
        lineColor={0, 0, 200},
        fillColor={0, 0, 200},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What electrical parts connect with.</p></html>"));
end Interfaces;
