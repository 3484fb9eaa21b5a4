within Kairos.Automata.Parts;
model Superstate "A mode that contains modes"
  extends Mode;
  parameter Boolean history = false "It is entered where it was left, not at its initial mode";
  Interfaces.Inside inside "Connect the modes that are in it here"
    annotation(Placement(transformation(extent={{-10, -110}, {10, -90}})));
equation
  inside.wasActive = pre(active);
  inside.isActive = active;
  inside.entering = active and not pre(active) or Blocks.Logical.countTrue(enter.fire) > 0;
  inside.leaving = Blocks.Logical.countTrue(leave.fire) > 0 or around.parent.leaving;
  inside.remembers = history;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-100, -60}, {100, 60}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{-60, -50}, {0, -10}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{0, -50}, {60, -10}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>Its transitions go before those of the modes in it. When it is entered, its initial mode becomes active, or with history the mode that was active last.</p></html>"));
end Superstate;
