within Kairos;
package Automata "Hybrid automata and statecharts"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-80, -20}, {-30, 30}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{30, -20}, {80, 30}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-30, 10}, {30, 10}}, color={120, 60, 0})}),
    Documentation(info="<html><p>Modes and guarded transitions as components.</p><p>An automaton on paper becomes a model one to one: a circle becomes a Mode, its invariant the input of that name; an arrow becomes a Transition with its guard; a reset is a when-equation on the transition's fire signal. Where several transitions leave a mode, the one connected first has priority.</p><p>A Superstate contains the modes that are connected to its inside; its own transitions go before theirs.</p></html>"));
end Automata;
