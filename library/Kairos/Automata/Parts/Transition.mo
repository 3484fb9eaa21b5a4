within Kairos.Automata.Parts;
model Transition "A guarded transition"
  Interfaces.From from "Mode that it leaves"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.To to "Mode that it enters"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  parameter Units.Time after(min=0) = 0 "How long the mode must have been active";
  input Boolean guard = true "It fires when this is true";
  Boolean fire(start=false, fixed=true) "It fires; use it in a when-equation for the reset";
  Integer fired(start=0, fixed=true) "Number of times that it has fired";
protected
  discrete Units.Time due(start=after, fixed=true) "When it can fire";
equation
  if after > 0 then
    when {from.available, initial()} then
      due = time + after;
    end when;
    fire = from.available and guard and time >= due;
  else
    due = 0;
    fire = from.available and guard;
  end if;
  from.fire = fire;
  to.fire = fire;
  fired = pre(fired) + (if fire then 1 else 0);
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {80, 0}}, color={120, 60, 0}),
      Polygon(
        points={{60, 20}, {100, 0}, {60, -20}},
        lineColor={120, 60, 0},
        fillColor={120, 60, 0},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>Leads from one mode to another when the guard is true; with after, not before the mode has lasted that long. A reset: when transition.fire then reinit(x, value); end when.</p></html>"));
end Transition;
