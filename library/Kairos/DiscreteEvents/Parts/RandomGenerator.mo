within Kairos.DiscreteEvents.Parts;
model RandomGenerator "Makes entities at random"
  extends Interfaces.Generator(
    startTime=0,
    next(start=startTime + Random.draw(distribution, mean, Random.start(seed))));
  parameter Random.Distribution distribution = Random.Distribution.Exponential
    "How the times between entities are distributed";
  parameter Units.Time mean(min=1e-12) = 1 "Mean time between entities";
  parameter Integer seed(min=1, max=2000000000) = 1 "Another seed, another stream";
protected
  Integer state[2](start=Random.start(seed), each fixed=true) "State of the stream";
equation
  when due then
    state = Random.step(Random.step(pre(state)));
    next = pre(next) + Random.draw(distribution, mean, state);
  end when;
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
      Ellipse(
        extent={{-25, 10}, {-10, 25}},
        lineColor={0, 110, 110},
        fillColor={0, 110, 110},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{10, -25}, {25, -10}},
        lineColor={0, 110, 110},
        fillColor={0, 110, 110},
        fillPattern=FillPattern.Solid)}),
    Documentation(
      info="<html><p>Entities with random times between them; the same in every run.</p></html>"));
end RandomGenerator;
