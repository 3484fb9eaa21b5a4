within Kairos.DiscreteEvents.Parts;
model Receiver "Listens to a bus"
  parameter Integer identifier = 1 "Frames with this identifier are taken";
  Interfaces.FrameIn frames "Bus"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Blocks.Interfaces.RealOutput value "Value of the last frame"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
  parameter Real startValue = 0 "Value before the first frame";
  Integer received(start=0, fixed=true) "Number of frames";
  Units.Time latency "Age of the last frame when it arrived";
protected
  Boolean takes "A frame for this receiver arrives";
  discrete Real held(start=startValue, fixed=true) "Value of the last frame";
  discrete Units.Time age(start=0, fixed=true) "Its age when it arrived";
equation
  takes = frames.number <> pre(frames.number) and frames.identifier == identifier;
  when takes then
    held = frames.value;
    received = pre(received) + 1;
    age = time - frames.born;
  end when;
  value = held;
  latency = age;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, 0}, {-20, 0}}, color={0, 110, 110}),
      Ellipse(
        extent={{-20, -40}, {60, 40}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(
      info="<html><p>Holds the value of the last frame with its identifier.</p></html>"));
end Receiver;
