within Kairos.Blocks;
package Interfaces "Connectors and bases of the blocks"
  connector RealInput = input Real "Real signal going in"
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={0, 0, 127},
        fillColor={0, 0, 127},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>A Real signal that goes in.</p></html>"));
  connector RealOutput = output Real "Real signal going out"
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>A Real signal that goes out.</p></html>"));
  connector BooleanInput = input Boolean "Boolean signal going in"
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={255, 0, 255},
        fillColor={255, 0, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>A Boolean signal that goes in.</p></html>"));
  connector BooleanOutput = output Boolean "Boolean signal going out"
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>A Boolean signal that goes out.</p></html>"));
  connector IntegerInput = input Integer "Integer signal going in"
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={255, 127, 0},
        fillColor={255, 127, 0},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>An Integer signal that goes in.</p></html>"));
  connector IntegerOutput = output Integer "Integer signal going out"
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={255, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>An Integer signal that goes out.</p></html>"));
  partial block Source "One Real output"
    RealOutput y "Signal" annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 0, 127},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the sources of a Real signal.</p></html>"));
  end Source;
  partial block BooleanSource "One Boolean output"
    BooleanOutput y "Signal" annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 0, 127},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the sources of a Boolean signal.</p></html>"));
  end BooleanSource;
  partial block OneToOne "One Real input, one Real output"
    RealInput u "Input" annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
    RealOutput y "Output" annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 0, 127},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(
        info="<html><p>Base of the blocks that turn one signal into another.</p></html>"));
  end OneToOne;
  partial block TwoToOne "Two Real inputs, one Real output"
    RealInput u1 "First input"
      annotation(Placement(transformation(extent={{-120, 50}, {-100, 70}})));
    RealInput u2 "Second input"
      annotation(Placement(transformation(extent={{-120, -70}, {-100, -50}})));
    RealOutput y "Output" annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 0, 127},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the blocks that join two signals.</p></html>"));
  end TwoToOne;
  partial block RealToBoolean "One Real input, one Boolean output"
    RealInput u "Input" annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
    BooleanOutput y "Output" annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 0, 127},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the blocks that judge a signal.</p></html>"));
  end RealToBoolean;
  partial block BooleanToBoolean "One Boolean input, one Boolean output"
    BooleanInput u "Input" annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
    BooleanOutput y "Output" annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 0, 127},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the logic blocks with one input.</p></html>"));
  end BooleanToBoolean;
  partial block TwoBooleans "Two Boolean inputs, one Boolean output"
    BooleanInput u1 "First input"
      annotation(Placement(transformation(extent={{-120, 50}, {-100, 70}})));
    BooleanInput u2 "Second input"
      annotation(Placement(transformation(extent={{-120, -70}, {-100, -50}})));
    BooleanOutput y "Output" annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 0, 127},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the logic blocks with two inputs.</p></html>"));
  end TwoBooleans;
  partial block Sampled "A block that acts at sampling instants"
    parameter Units.Time period(min=1e-12) = 0.1 "Sampling period";
    parameter Units.Time startTime = 0 "First sampling instant";
    output Boolean tick = sample(startTime, period) "True at the sampling instants";
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 0, 127},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
        Line(points={{-60, -60}, {-60, 20}}, color={0, 0, 127}),
        Line(points={{0, -60}, {0, 50}}, color={0, 0, 127}),
        Line(points={{60, -60}, {60, 0}}, color={0, 0, 127})}),
      Documentation(info="<html><p>Base of the blocks of sampled control: tick is true at every sampling instant and at no other.</p></html>"));
  end Sampled;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-40, 50}, {40, 0}, {-40, -50}},
        lineColor={0, 0, 127},
        fillColor={0, 0, 127},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What blocks connect with.</p></html>"));
end Interfaces;
