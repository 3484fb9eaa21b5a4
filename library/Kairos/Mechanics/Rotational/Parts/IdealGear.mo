within Kairos.Mechanics.Rotational.Parts;
model IdealGear "Gear without losses"
  extends Interfaces.TwoFlanges;
  parameter Real ratio = 1 "Turns of the left shaft for each turn of the right one";
equation
  flange_a.phi = ratio*flange_b.phi;
  ratio*flange_a.tau + flange_b.tau = 0;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-40, -80}, {0, 80}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{0, -40}, {40, 40}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>phi_a = ratio phi_b, without losses and backlash.</p></html>"));
end IdealGear;
