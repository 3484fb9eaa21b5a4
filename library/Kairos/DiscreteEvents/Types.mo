within Kairos.DiscreteEvents;
package Types "Choices"
  type Discipline = enumeration(
    FIFO "First come, first served",
    LIFO "Last come, first served",
    Priority "The smallest priority number first") "Who leaves a queue first"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="123")}),
      Documentation(info="<html><p>Entities of the same priority leave in the order of their arrival.</p></html>"));
  type Service = enumeration(
    Random "By the distribution and mean",
    List "The service times of a list, again and again",
    Value "The value of the entity") "Where service times come from"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="t")}),
      Documentation(info="<html><p>How long a server is busy with an entity.</p></html>"));
  type Rule = enumeration(
    RoundRobin "One exit after the other",
    FirstReady "The first exit that is ready",
    Value "The value of the entity is the number of the exit") "Where a router sends entities"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="?")}),
      Documentation(info="<html><p>How a router chooses the exit.</p></html>"));
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="?", textColor={0, 110, 110})}),
    Documentation(info="<html><p>What the parts of entity flow can be told to do.</p></html>"));
end Types;
