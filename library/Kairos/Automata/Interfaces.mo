within Kairos.Automata;
package Interfaces "Connectors of modes and transitions"
  connector Leave "Where transitions leave a mode"
    output Boolean available "The mode can be left";
    input Boolean fire "The transition leaves it";
    annotation(
      Icon(graphics={Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Mode side of an arrow that leaves.</p></html>"));
  end Leave;
  connector From "Where a transition begins"
    input Boolean available "The mode can be left";
    output Boolean fire "The transition leaves it";
    annotation(
      Icon(graphics={Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={120, 60, 0},
        fillColor={120, 60, 0},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Transition side of an arrow that leaves a mode.</p></html>"));
  end From;
  connector To "Where a transition ends"
    output Boolean fire "The transition enters the mode";
    annotation(
      Icon(graphics={Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={120, 60, 0},
        fillColor={120, 60, 0},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Transition side of an arrow that enters a mode.</p></html>"));
  end To;
  connector Enter "Where transitions enter a mode"
    input Boolean fire "The transition enters the mode";
    annotation(
      Icon(graphics={Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Mode side of an arrow that enters.</p></html>"));
  end Enter;
  connector Inside "What a superstate tells the modes in it"
    output Boolean wasActive "It was active before";
    output Boolean isActive "It is active";
    output Boolean entering "It is being entered";
    output Boolean leaving "It is being left";
    output Boolean remembers "The modes keep their state while it is not active";
    annotation(
      Icon(graphics={Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Superstate side of the connection to a mode in it.</p></html>"));
  end Inside;
  connector Parent "The superstate that a mode is in"
    input Boolean wasActive "It was active before";
    input Boolean isActive "It is active";
    input Boolean entering "It is being entered";
    input Boolean leaving "It is being left";
    input Boolean remembers "The modes keep their state while it is not active";
    annotation(
      Icon(graphics={Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={120, 60, 0},
        fillColor={120, 60, 0},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Mode side of the connection to its superstate.</p></html>"));
  end Parent;
  block Always "The superstate of modes that are in none"
    Inside inside "What it tells them"
      annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  equation
    inside.wasActive = true;
    inside.isActive = true;
    inside.entering = false;
    inside.leaving = false;
    inside.remembers = true;
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={120, 60, 0},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Always active.</p></html>"));
  end Always;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={120, 60, 0}),
      Polygon(
        points={{60, 20}, {90, 0}, {60, -20}},
        lineColor={120, 60, 0},
        fillColor={120, 60, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What modes and transitions connect with.</p></html>"));
end Interfaces;
