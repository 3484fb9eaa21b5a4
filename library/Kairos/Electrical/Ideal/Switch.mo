within Kairos.Electrical.Ideal;
model Switch "Ideal switch"
  extends Interfaces.OnePort;
  extends Thermal.Interfaces.Lossy;
  parameter Units.Resistance Ron = 0 "Resistance when closed";
  parameter Units.Conductance Goff = 0 "Conductance when open";
  Blocks.Interfaces.BooleanInput closed "True closes the switch"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  0 = if closed then u - Ron*i else i - Goff*u;
  lossPower = u*i;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-40, 0}}, color={0, 0, 200}),
      Line(
        points=DynamicSelect(
          {{-40, 0}, {30, 40}},
          if closed then {{-40, 0}, {40, 0}} else {{-40, 0}, {30, 40}}),
        color={0, 0, 200}),
      Line(points={{40, 0}, {100, 0}}, color={0, 0, 200}),
      Line(points={{0, 100}, {0, 25}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>A short circuit while closed, an open circuit otherwise. An inductor in series needs another way for its current before the switch opens.</p></html>"));
end Switch;
