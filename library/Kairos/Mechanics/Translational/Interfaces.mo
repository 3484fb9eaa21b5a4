within Kairos.Mechanics.Translational;
package Interfaces "Connectors and bases of the translational parts"
  connector Flange "Point of a body"
    Units.Length s "Position";
    flow Units.Force f "Force acting on the part";
    annotation(
      Icon(graphics={Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid)}),
      Documentation(
        info="<html><p>The position of the point and the force that acts on the part.</p></html>"));
  end Flange;
  partial model TwoFlanges "Two points"
    Flange flange_a "Left point"
      annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
    Flange flange_b "Right point"
      annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
        Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the parts with two points.</p></html>"));
  end TwoFlanges;
  partial model Compliant "Force depends on the distance"
    extends TwoFlanges;
    Units.Length s_rel(start=0) "Position of b less that of a";
    Units.Force f "Force that the part transmits: it pulls the points together when positive";
  equation
    s_rel = flange_b.s - flange_a.s;
    flange_b.f = f;
    flange_a.f = -f;
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
        Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of springs, dampers and contacts: the same force acts at both points.</p></html>"));
  end Compliant;
  partial model Coupling "Force depends on the relative velocity"
    extends Compliant;
    Units.Velocity v_rel(start=0) "Velocity of b less that of a";
  equation
    v_rel = der(s_rel);
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
        Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of dampers and friction parts.</p></html>"));
  end Coupling;
  partial model DryFriction "Coulomb friction: free, stuck, starting or sliding"
    parameter Real peak(min=1) = 1 "Force that breaks loose for each force of sliding";
    parameter Units.Velocity vSmall(min=0) = 1e-6
      "Faster than this, after a jump or as the run begins, it slides";
    Units.Velocity v "Relative velocity";
    Units.Acceleration a "Relative acceleration";
    Units.Force fSlide "Magnitude of the sliding force";
    Units.Force fFriction "Force that brakes";
    Boolean free "Nothing is pressed together";
    Boolean locked "Stuck";
  protected
    constant Units.Acceleration unit = 1 "Unit of the parameter while sliding";
    Real s "Parameter of the curve: part of the sliding force while stuck, acceleration beyond it";
    Boolean startForward(start=false, fixed=true) "Breaks loose forward";
    Boolean startBackward(start=false, fixed=true) "Breaks loose backward";
    Integer mode(start=0, fixed=true, min=-1, max=1) "Sliding forward 1, backward -1, otherwise 0";
  equation
    startForward = pre(mode) == 0 and not free
      and (s > peak or pre(startForward) and s > 1 or v > vSmall);
    startBackward = pre(mode) == 0 and not free
      and (s < -peak or pre(startBackward) and s < -1 or v < -vSmall);
    a = unit*(if free then s else if pre(mode) == 1 then s - 1 else if pre(mode) == -1 then s + 1
      else if startForward then s - peak else if startBackward then s + peak else 0);
    fFriction = if free then 0
      else fSlide*(if pre(mode) == 1 or startForward then 1 else if pre(mode) == -1 or startBackward
        then -1 else s);
    mode = if (pre(mode) == 1 or startForward or free) and v > 0 then 1
      else if (pre(mode) == -1 or startBackward or free) and v < 0 then -1 else 0;
    locked = mode == 0 and not (startForward or startBackward or free);
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
        Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
        Rectangle(
          extent={{-60, -60}, {60, 60}},
          lineColor={0, 127, 0},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Base of friction and brake. The part leaves the stuck state when the force exceeds peak times the sliding force, and sticks again when the relative velocity passes zero. A jump of the velocity, as by an impact, has it slide.</p></html>"));
  end DryFriction;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-30, -30}, {30, 30}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What translational parts connect with.</p></html>"));
end Interfaces;
