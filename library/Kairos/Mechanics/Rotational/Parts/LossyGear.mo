within Kairos.Mechanics.Rotational.Parts;
model LossyGear "Gear with an efficiency"
  extends Interfaces.TwoFlanges;
  extends Thermal.Interfaces.Lossy;
  parameter Real ratio = 1 "Turns of the left shaft for each turn of the right one";
  parameter Units.Efficiency eta(min=1e-3) = 0.9 "Efficiency, the same in both directions";
  Units.AngularVelocity w "Speed of the left shaft";
  Boolean forward(start=true) "Power goes from left to right";
protected
  Units.Torque tauIn "Torque that the gear takes up at the left shaft";
  Units.Torque tauOut "The part of it that is passed on";
equation
  flange_a.phi = ratio*flange_b.phi;
  w = der(flange_a.phi);
  tauIn = flange_a.tau;
  forward = tauIn*w > 0;
  tauOut = (if forward then eta else 1/eta)*tauIn;
  flange_b.tau = -ratio*tauOut;
  lossPower = (tauIn - tauOut)*w;
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
        fillPattern=FillPattern.Solid),
      Text(extent={{-60, -100}, {60, -80}}, textString="eta", textColor={0, 100, 0})}),
    Documentation(info="<html><p>The driven side gets eta times the power of the driving side, whichever side drives.</p></html>"));
end LossyGear;
