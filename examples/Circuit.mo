model Circuit "A capacitor that is charged through a resistor and a coil"
  parameter Real R(unit="Ohm") = 10 "Resistance";
  parameter Real L(unit="H") = 0.01 "Inductance";
  parameter Real C(unit="F") = 100e-6 "Capacitance";
  Real u(unit="V") "Voltage of the source";
  Real i(unit="A", start=0, fixed=true) "Current";
  Real v(unit="V", start=0, fixed=true) "Voltage of the capacitor";
equation
  u = if time < 0.002 then 0 else 12;
  u = R*i + L*der(i) + v;
  i = C*der(v);
  annotation(experiment(StopTime=0.02));
end Circuit;
