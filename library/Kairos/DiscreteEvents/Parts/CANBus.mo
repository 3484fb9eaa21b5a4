within Kairos.DiscreteEvents.Parts;
model CANBus "Bus with arbitration by identifiers"
  parameter Integer n(min=1) = 2 "Number of senders";
  parameter Integer identifier[n] = 1:n
    "Identifier of each sender's frames; the smallest goes first";
  parameter Real bitRate(unit="1/s", min=1) = 125e3 "Bits each second";
  parameter Integer bits[n](each min=1) = fill(111, n) "Length of each sender's frames";
  Interfaces.EntityIn enter[n] "Senders"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.FrameOut frames "Frames, for any number of receivers"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Integer sending(start=0, fixed=true) "The sender whose frame is on the bus, 0 if it is idle";
  Integer sent(start=0, fixed=true) "Number of frames";
  Integer replaced(start=0, fixed=true)
    "Frames that a newer one of the same sender replaced while they waited";
  Boolean waiting[n](each start=false, each fixed=true) "A frame of this sender waits";
  Real load "Part of the time that the bus was busy";
protected
  Boolean arrives[n] "A sender gives a frame";
  Boolean begins(start=false, fixed=true) "A frame begins";
  Boolean ends(start=false, fixed=true) "A frame ends";
  Units.Time born[n](each start=0, each fixed=true) "Births of the waiting frames";
  Real value[n](each start=0, each fixed=true) "Values of the waiting frames";
  Units.Time curBorn(start=0, fixed=true) "Birth of the frame on the bus";
  Real curValue(start=0, fixed=true) "Its value";
  Units.Time done(start=1e60, fixed=true) "When it ends";
  Integer outId(start=0, fixed=true) "Identifier of the last frame";
  Units.Time outBorn(start=0, fixed=true) "Birth of the last frame";
  Real outValue(start=0, fixed=true) "Value of the last frame";
  Units.Time used(start=0, fixed=true) "Time that the bus was busy with frames that have begun";
equation
  for i in 1:n loop
    enter[i].ready = true;
    arrives[i] = enter[i].number <> pre(enter[i].number);
  end for;
  ends = pre(sending) > 0 and time >= pre(done) and not pre(ends);
  begins = pre(sending) == 0 and Blocks.Logical.countTrue(pre(waiting)) > 0 and not pre(begins);
  frames.number = sent;
  frames.identifier = outId;
  frames.value = outValue;
  frames.born = outBorn;
  load = (used - (if sending > 0 then max(done - time, 0) else 0))/max(time, 1e-30);
algorithm
  when {Blocks.Logical.countTrue(arrives) > 0, ends, begins} then
    if ends then
      outId := identifier[max(sending, 1)];
      outValue := curValue;
      outBorn := curBorn;
      sent := sent + 1;
      sending := 0;
      done := 1e60;
    elseif begins then
      for i in 1:n loop
        if waiting[i] then
          sending := if sending == 0 then i else if identifier[i] < identifier[max(sending, 1)]
            then i else sending;
        end if;
      end for;
      waiting[sending] := false;
      curBorn := born[sending];
      curValue := value[sending];
      done := time + bits[sending]/bitRate;
      used := used + bits[sending]/bitRate;
    end if;
    for i in 1:n loop
      if arrives[i] then
        replaced := replaced + (if waiting[i] then 1 else 0);
        waiting[i] := true;
        born[i] := enter[i].born;
        value[i] := enter[i].value;
      end if;
    end for;
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, 20}, {80, 20}}, color={0, 110, 110}),
      Line(points={{-80, -20}, {80, -20}}, color={0, 110, 110}),
      Line(points={{-40, 20}, {-40, 60}}, color={0, 110, 110}),
      Line(points={{40, 20}, {40, 60}}, color={0, 110, 110})}),
    Documentation(info="<html><p>One frame at a time. When the bus is idle, the waiting frame with the smallest identifier begins; it is not interrupted. A sender has one mailbox: a newer frame replaces one that still waits.</p></html>"));
end CANBus;
