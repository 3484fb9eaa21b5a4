model Heater "A room whose heating is controlled ten times an hour"
  parameter Real wanted(unit="degC") = 20;
  parameter Real period(unit="h") = 0.1 "Time between two samples";
  parameter Real K = 0.8 "Gain of the controller";
  parameter Real Ti = 1.5 "Integral time of the controller";
  Real T(start=10, fixed=true, unit="degC") "Temperature of the room";
  discrete Real measured(start=10, fixed=true, unit="degC");
  discrete Real integral(start=0, fixed=true);
  discrete Real power(start=0, fixed=true) "In kW, as time is in hours";
equation
  0.5*der(T) = power - 0.1*(T - 5);
algorithm
  when sample(0, period) then
    measured := T;
    integral := pre(integral) + period*(wanted - measured)/Ti;
    power := min(5, max(0, K*(wanted - measured + integral)));
  end when;
  annotation(experiment(StopTime=12));
end Heater;
