within Kairos.DiscreteEvents.Parts;
model Server "One or more servers"
  parameter Integer servers(min=1) = 1 "Number of servers";
  parameter Types.Service service = Types.Service.Random "Where service times come from";
  parameter Random.Distribution distribution = Random.Distribution.Constant
    "How random service times are distributed";
  parameter Units.Time mean(min=0) = 1 "Mean of random service times";
  parameter Integer seed(min=1, max=2000000000) = 2 "Another seed, another stream";
  parameter Units.Time list[:] = {1} "List of service times";
  Interfaces.EntityIn enter "Arrivals"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.EntityOut out "Departures"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Integer busy(start=0, fixed=true)
    "Number of entities that are served, or are ready and cannot leave";
  Integer started(start=0, fixed=true) "Number of services begun";
  Integer served(start=0, fixed=true) "Number of departures";
  Real utilisation "Mean part of the servers that was busy";
protected
  Boolean arrives "An entity arrives";
  Boolean departs(start=false, fixed=true) "An entity leaves";
  Units.Time done[servers](each start=1e60, each fixed=true) "When each server is done";
  Units.Time born[servers](each start=0, each fixed=true) "Births of the entities";
  Integer priority[servers](each start=0, each fixed=true) "Their priorities";
  Real value[servers](each start=0, each fixed=true) "Their values";
  Units.Time nextDone(start=1e60, fixed=true) "When the first of them is done";
  Integer state[2](start=Random.start(seed), each fixed=true) "State of the random stream";
  Integer k(start=1, fixed=true) "The server that begins or ends";
  Units.Time outBorn(start=0, fixed=true) "Birth of the one who left last";
  Integer outPriority(start=0, fixed=true) "Its priority";
  Real outValue(start=0, fixed=true) "Its value";
  Real area(start=0, fixed=true) "Integral of busy until the last change";
  Units.Time changed(start=0, fixed=true) "The last change";
equation
  enter.ready = pre(busy) < servers;
  arrives = enter.number <> pre(enter.number);
  departs = time >= pre(nextDone) and out.ready and not pre(departs);
  out.number = served;
  out.born = outBorn;
  out.priority = outPriority;
  out.value = outValue;
  utilisation = (area + busy*(time - changed))/(servers*max(time, 1e-30));
algorithm
  when {arrives, departs} then
    area := pre(area) + pre(busy)*(time - pre(changed));
    changed := time;
    if departs then
      k := 1;
      for i in 1:servers loop
        k := if done[i] < done[k] then i else k;
      end for;
      done[k] := 1e60;
      outBorn := born[k];
      outPriority := priority[k];
      outValue := value[k];
      served := served + 1;
      busy := busy - 1;
    end if;
    if arrives then
      k := 1;
      for i in 1:servers loop
        k := if done[i] > done[k] then i else k;
      end for;
      born[k] := enter.born;
      priority[k] := enter.priority;
      value[k] := enter.value;
      if service == Types.Service.Random then
        done[k] := time + Random.draw(distribution, mean, state);
        state := Random.step(Random.step(state));
      elseif service == Types.Service.List then
        done[k] := time + list[mod(started, size(list, 1))+1];
      else
        done[k] := time + enter.value;
      end if;
      started := started + 1;
      busy := busy + 1;
    end if;
    nextDone := min(done);
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
        extent={{-50, -50}, {50, 50}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Each server works on one entity at a time and keeps it until the next part is ready. A server that is free takes the next entity at once.</p></html>"));
end Server;
