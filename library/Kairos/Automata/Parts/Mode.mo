within Kairos.Automata.Parts;
model Mode "A mode"
  parameter Boolean isInitial = false "The automaton, or the superstate, begins here";
  parameter Boolean nested = false "It is in a superstate" annotation(Evaluate=true);
  parameter Integer nIn(min=0) = 1 "Number of transitions that enter";
  parameter Integer nOut(min=0) = 1 "Number of transitions that leave";
  Interfaces.Enter enter[nIn] "Transitions that enter"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.Leave leave[nOut] "Transitions that leave; the first has priority"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Interfaces.Parent parent if nested "The superstate that it is in"
    annotation(Placement(transformation(extent={{-10, 90}, {10, 110}})));
  input Boolean invariant = true "Must hold while the mode is active";
  Boolean active "The automaton is in this mode";
  discrete Units.Time since(start=0, fixed=true) "When it was entered last";
protected
  Boolean current(start=isInitial, fixed=true) "The mode that its superstate is in, or was in last";
  Interfaces.Always always if not nested "Superstate of a mode that is in none";
  Surroundings around "The superstate";
  model Surroundings "The superstate, seen from inside"
    Interfaces.Parent parent "Connection to it";
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={120, 60, 0},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Passes on what the superstate tells.</p></html>"));
  end Surroundings;
equation
  connect(always.inside, around.parent);
  connect(parent, around.parent);
  for i in 1:nOut loop
    leave[i].available = if i == 1 then pre(current) and around.parent.wasActive
      and not around.parent.leaving else leave[max(i - 1, 1)].available
      and not leave[max(i - 1, 1)].fire;
  end for;
  current = if around.parent.entering and not around.parent.remembers then isInitial
    else Blocks.Logical.countTrue(enter.fire) > 0 or pre(current)
    and Blocks.Logical.countTrue(leave.fire) == 0;
  active = current and around.parent.isActive;
  when active then
    since = time;
  end when;
  assert(
    not active or invariant,
    "the invariant of the mode " + getInstanceName() + " is violated and no transition leaves it");
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-100, -60}, {100, 60}},
        lineColor={120, 60, 0},
        fillColor=DynamicSelect(
          {255, 255, 255},
          if active then {255, 225, 120} else {255, 255, 255}),
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>One state of the automaton. If its invariant is violated and no transition leaves it at that instant, the run ends with an error that names the mode.</p></html>"));
end Mode;
