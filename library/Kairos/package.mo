package Kairos "Parts of hybrid systems, ready to connect"
  annotation(
    Icon(graphics={
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-80, -80}, {80, 80}},
        lineColor={60, 60, 60},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 0}, {0, 60}}, color={60, 60, 60}),
      Line(points={{0, 0}, {40, -20}}, color={60, 60, 60})}),
    Documentation(info="<html><p>The library that comes with the program: electrical, mechanical, hydraulic and thermal parts, signal blocks, Petri nets, hybrid automata, entity flow and bond graphs.</p><p>Every part is plain Modelica; the examples show how they are used.</p></html>"),
    version="0.1.0");
end Kairos;
