within Kairos.DiscreteEvents.Parts;
model Queue "Queue"
  parameter Types.Discipline discipline = Types.Discipline.FIFO "Who leaves first";
  parameter Integer capacity(min=1) = 10 "Greatest length";
  parameter Boolean drops = true
    "Entities that find it full are lost; otherwise they must wait outside";
  Interfaces.EntityIn enter "Arrivals"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.EntityOut out "Departures"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Integer length(start=0, fixed=true) "Number of entities that wait";
  Integer arrived(start=0, fixed=true) "Number of arrivals";
  Integer lost(start=0, fixed=true) "Number of losses";
  Integer left(start=0, fixed=true) "Number of departures";
  Integer longest(start=0, fixed=true) "Greatest length so far";
  Units.Time meanWait "Mean time that those who left have waited";
  Real meanLength "Mean length over time";
protected
  Boolean arrives "An entity arrives";
  Boolean departs(start=false, fixed=true) "An entity leaves";
  Units.Time born[capacity](each start=0, each fixed=true) "Births of those who wait";
  Units.Time since[capacity](each start=0, each fixed=true) "When they came";
  Integer priority[capacity](each start=0, each fixed=true) "Their priorities";
  Real value[capacity](each start=0, each fixed=true) "Their values";
  Units.Time outBorn(start=0, fixed=true) "Birth of the one who left last";
  Integer outPriority(start=0, fixed=true) "Its priority";
  Real outValue(start=0, fixed=true) "Its value";
  Real area(start=0, fixed=true) "Integral of the length until the last change";
  Units.Time changed(start=0, fixed=true) "The last change";
  Units.Time waited(start=0, fixed=true) "Sum of the waiting times";
  Integer place(start=0, fixed=true) "Where the last arrival went";
equation
  enter.ready = drops or pre(length) < capacity;
  arrives = enter.number <> pre(enter.number);
  departs = pre(length) > 0 and out.ready and not pre(departs);
  out.number = left;
  out.born = outBorn;
  out.priority = outPriority;
  out.value = outValue;
  meanWait = waited/max(left, 1);
  meanLength = (area + length*(time - changed))/max(time, 1e-30);
algorithm
  when {arrives, departs} then
    area := pre(area) + pre(length)*(time - pre(changed));
    changed := time;
    if departs then
      left := left + 1;
      outBorn := born[1];
      outPriority := priority[1];
      outValue := value[1];
      waited := waited + time - since[1];
      for i in 1:capacity-1 loop
        born[i] := born[i+1];
        since[i] := since[i+1];
        priority[i] := priority[i+1];
        value[i] := value[i+1];
      end for;
      length := length - 1;
    end if;
    if arrives then
      arrived := arrived + 1;
      if length == capacity then
        lost := lost + 1;
      else
        place := if discipline == Types.Discipline.LIFO then 1 else length + 1;
        if discipline == Types.Discipline.Priority then
          for i in 1:capacity loop
            if place > 1 and i <= length then
              place := if priority[max(place - 1, 1)] > enter.priority then place - 1 else place;
            end if;
          end for;
        end if;
        for i in capacity:-1:2 loop
          if i > place then
            born[i] := born[i-1];
            since[i] := since[i-1];
            priority[i] := priority[i-1];
            value[i] := value[i-1];
          end if;
        end for;
        born[place] := enter.born;
        since[place] := time;
        priority[place] := enter.priority;
        value[place] := enter.value;
        length := length + 1;
        longest := max(longest, length);
      end if;
    end if;
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, -40}, {60, -40}}, color={0, 110, 110}),
      Line(points={{-60, 40}, {60, 40}}, color={0, 110, 110}),
      Line(points={{-20, -40}, {-20, 40}}, color={0, 110, 110}),
      Line(points={{20, -40}, {20, 40}}, color={0, 110, 110}),
      Line(points={{60, -40}, {60, 40}}, color={0, 110, 110})}),
    Documentation(info="<html><p>Entities wait here until the next part is ready. The discipline decides who goes first.</p></html>"));
end Queue;
