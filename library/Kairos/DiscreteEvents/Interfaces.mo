within Kairos.DiscreteEvents;
package Interfaces "Connectors of entity flow"
  connector EntityOut "Where entities leave"
    output Integer number "Number of entities that have left; it grows by one when one leaves";
    output Units.Time born "Birth of the last entity";
    output Integer priority "Priority of the last entity; a smaller number goes first";
    output Real value "Value of the last entity";
    input Boolean ready "The receiver takes an entity";
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={0, 110, 110},
        fillColor={0, 110, 110},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Sender side.</p></html>"));
  end EntityOut;
  connector EntityIn "Where entities arrive"
    input Integer number "Number of entities that have arrived; it grows by one when one arrives";
    input Units.Time born "Birth of the last entity";
    input Integer priority "Priority of the last entity; a smaller number goes first";
    input Real value "Value of the last entity";
    output Boolean ready "The receiver takes an entity";
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={0, 110, 110},
        fillColor={0, 110, 110},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Receiver side.</p></html>"));
  end EntityIn;
  connector FrameOut "Where frames leave a bus; any number of receivers may listen"
    output Integer number "Number of frames; it grows by one with each";
    output Integer identifier "Identifier of the last frame";
    output Real value "Value of the last frame";
    output Units.Time born "Birth of the last frame";
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={0, 110, 110},
        fillColor={0, 110, 110},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Sender side.</p></html>"));
  end FrameOut;
  connector FrameIn "Where frames arrive from a bus"
    input Integer number "Number of frames; it grows by one with each";
    input Integer identifier "Identifier of the last frame";
    input Real value "Value of the last frame";
    input Units.Time born "Birth of the last frame";
    annotation(
      Icon(graphics={Polygon(
        points={{-100, 100}, {100, 0}, {-100, -100}},
        lineColor={0, 110, 110},
        fillColor={0, 110, 110},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Receiver side.</p></html>"));
  end FrameIn;
  partial model Generator "Base of the generators"
    EntityOut out "Entities" annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
    parameter Units.Time startTime = 1
      "First entity, unless the kind of generator says otherwise; later than the start of the run";
    parameter Integer priority = 1 "Priority of the entities";
    input Real value = 0 "Value that an entity gets when it is made";
    Integer generated(start=0, fixed=true) "Number of entities made";
    Integer lost(start=0, fixed=true) "Entities that nobody was ready for";
    discrete Units.Time next(start=startTime, fixed=true) "When the next one is made";
  protected
    Boolean due "An entity is made";
    discrete Real mark(start=0, fixed=true) "Value of the last entity";
    discrete Units.Time birth(start=0, fixed=true) "Birth of the last entity";
    Integer sent(start=0, fixed=true) "Entities that have left";
  equation
    due = time >= pre(next);
    when initial() then
      assert(
        not due,
        "the first entity of " + getInstanceName() + " must come after the start of the run");
    end when;
    when due then
      generated = pre(generated) + 1;
      sent = pre(sent) + (if out.ready then 1 else 0);
      lost = pre(lost) + (if out.ready then 0 else 1);
      birth = time;
      mark = value;
    end when;
    out.number = sent;
    out.born = birth;
    out.priority = priority;
    out.value = mark;
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 110, 110},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
        Ellipse(
          extent={{-60, -60}, {60, 60}},
          lineColor={0, 110, 110},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Line(points={{0, 0}, {0, 50}}, color={0, 110, 110}),
        Line(points={{0, 0}, {30, 0}}, color={0, 110, 110})}),
      Documentation(info="<html><p>Makes an entity at the instants that the one who extends it determines through next.</p></html>"));
  end Generator;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={0, 110, 110}),
      Polygon(
        points={{60, 20}, {90, 0}, {60, -20}},
        lineColor={0, 110, 110},
        fillColor={0, 110, 110},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What the parts of entity flow connect with.</p></html>"));
end Interfaces;
