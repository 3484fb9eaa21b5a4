within Kairos.Mechanics.Rotational;
package Interfaces "Connectors and bases of the rotational parts"
  connector Flange "End of a shaft"
    Units.Angle phi "Angle";
    flow Units.Torque tau "Torque acting on the part";
    annotation(
      Icon(graphics={Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid)}),
      Documentation(
        info="<html><p>The angle of the shaft and the torque that acts on the part.</p></html>"));
  end Flange;
  partial model TwoFlanges "Two shafts"
    Flange flange_a "Left shaft"
      annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
    Flange flange_b "Right shaft"
      annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
        Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the parts with two shafts.</p></html>"));
  end TwoFlanges;
  partial model Compliant "Torque depends on the twist"
    extends TwoFlanges;
    Units.Angle phi_rel(start=0) "Angle at b less that at a";
    Units.Torque tau "Torque that the part transmits: it pulls a along b when positive";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    flange_b.tau = tau;
    flange_a.tau = -tau;
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
        Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of springs, dampers and couplings: the same torque acts at both ends.</p></html>"));
  end Compliant;
  partial model Coupling "Torque depends on the relative speed"
    extends Compliant;
    Units.AngularVelocity w_rel(start=0) "Speed at b less that at a";
  equation
    w_rel = der(phi_rel);
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
        Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of dampers and friction parts.</p></html>"));
  end Coupling;
  partial model DryFriction "Coulomb friction: free, stuck, starting or sliding"
    parameter Real peak(min=1) = 1 "Torque that breaks loose for each torque of sliding";
    parameter Units.AngularVelocity wSmall(min=0) = 1e-6
      "Faster than this, after a jump or as the run begins, it slides";
    Units.AngularVelocity w "Relative speed";
    Units.AngularAcceleration a "Relative acceleration";
    Units.Torque tauSlide "Magnitude of the sliding torque";
    Units.Torque tauFriction "Torque that brakes";
    Boolean free "Nothing is pressed together";
    Boolean locked "Stuck";
  protected
    constant Units.AngularAcceleration unit = 1 "Unit of the parameter while sliding";
    Real s "Parameter of the curve: part of the sliding torque while stuck, acceleration beyond it";
    Boolean startForward(start=false, fixed=true) "Breaks loose forward";
    Boolean startBackward(start=false, fixed=true) "Breaks loose backward";
    Integer mode(start=0, fixed=true, min=-1, max=1) "Sliding forward 1, backward -1, otherwise 0";
  equation
    startForward = pre(mode) == 0 and not free
      and (s > peak or pre(startForward) and s > 1 or w > wSmall);
    startBackward = pre(mode) == 0 and not free
      and (s < -peak or pre(startBackward) and s < -1 or w < -wSmall);
    a = unit*(if free then s else if pre(mode) == 1 then s - 1 else if pre(mode) == -1 then s + 1
      else if startForward then s - peak else if startBackward then s + peak else 0);
    tauFriction = if free then 0
      else tauSlide*(if pre(mode) == 1 or startForward then 1 else if pre(mode) == -1
        or startBackward then -1 else s);
    mode = if (pre(mode) == 1 or startForward or free) and w > 0 then 1
      else if (pre(mode) == -1 or startBackward or free) and w < 0 then -1 else 0;
    locked = mode == 0 and not (startForward or startBackward or free);
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
        Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
        Rectangle(
          extent={{-60, -60}, {60, 60}},
          lineColor={0, 100, 0},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Base of bearing, brake and clutch. The part leaves the stuck state when the torque exceeds peak times the sliding torque, and sticks again when the relative speed passes zero. A jump of the speed, as by an impact, has it slide.</p></html>"));
  end DryFriction;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-40, -40}, {40, 40}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What rotational parts connect with.</p></html>"));
end Interfaces;
