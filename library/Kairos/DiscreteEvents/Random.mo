within Kairos.DiscreteEvents;
package Random "Reproducible random numbers"
  type Distribution = enumeration(
    Constant "Always the mean",
    Exponential "Exponential with the given mean",
    Uniform "Between 0 and twice the mean",
    Erlang2 "Sum of two exponential ones") "How random times are distributed"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="p")}),
      Documentation(info="<html><p>All of them have the given mean.</p></html>"));
  function start "State of a stream from a seed"
    input Integer seed "Any whole number from 1 to 2000000000";
    output Integer state[2] "State";
  algorithm
    state := {1 + mod(seed, 2147483562), 1 + mod(seed + 12345, 2147483398)};
    for i in 1:10 loop
      state := step(state);
    end for;
    annotation(
      Icon(graphics={
        Ellipse(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 110, 110},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-80, -60}, {80, 60}}, textString="f", textColor={0, 110, 110})}),
      Documentation(info="<html><p>The state from which a stream begins.</p></html>"));
  end start;
  function step "Next state of a stream"
    input Integer state[2] "State";
    output Integer new[2] "State after it";
  algorithm
    new[1] := 40014*mod(state[1], 53668) - 12211*div(state[1], 53668);
    new[1] := if new[1] < 0 then new[1] + 2147483563 else new[1];
    new[2] := 40692*mod(state[2], 52774) - 3791*div(state[2], 52774);
    new[2] := if new[2] < 0 then new[2] + 2147483399 else new[2];
    annotation(
      Icon(graphics={
        Ellipse(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 110, 110},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-80, -60}, {80, 60}}, textString="f", textColor={0, 110, 110})}),
      Documentation(info="<html><p>One step of both generators.</p></html>"));
  end step;
  function uniform "Number between 0 and 1 from a state"
    input Integer state[2] "State";
    output Real u "Greater than 0 and less than 1";
  protected
    Integer z "Difference of the generators";
  algorithm
    z := state[1] - state[2];
    u := (if z < 1 then z + 2147483562 else z)*4.656613e-10;
    annotation(
      Icon(graphics={
        Ellipse(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 110, 110},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-80, -60}, {80, 60}}, textString="f", textColor={0, 110, 110})}),
      Documentation(info="<html><p>The random number that belongs to a state.</p></html>"));
  end uniform;
  function draw "A random time"
    input Distribution distribution "How it is distributed";
    input Units.Time mean "Mean";
    input Integer state[2] "State of the stream";
    output Units.Time t "Time";
  algorithm
    if distribution == Distribution.Constant then
      t := mean;
    elseif distribution == Distribution.Exponential then
      t := -mean*log(uniform(state));
    elseif distribution == Distribution.Uniform then
      t := 2*mean*uniform(state);
    else
      t := -mean/2*(log(uniform(state)) + log(uniform(step(state))));
    end if;
    annotation(
      Icon(graphics={
        Ellipse(
          extent={{-100, -100}, {100, 100}},
          lineColor={0, 110, 110},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-80, -60}, {80, 60}}, textString="f", textColor={0, 110, 110})}),
      Documentation(info="<html><p>A time with the given distribution and mean; advance the state by two steps before the next.</p></html>"));
  end draw;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-40, -40}, {40, 40}},
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
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{-8, -8}, {8, 8}},
        lineColor={0, 110, 110},
        fillColor={0, 110, 110},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Streams that are the same in every run: two multiplicative generators combined (L'Ecuyer 1988), with a period above 10^18, in whole numbers of 32 bits.</p></html>"));
end Random;
