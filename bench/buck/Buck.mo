model Buck "A buck converter with an ideal switch and an ideal diode at 10 kHz, in steady state"
  parameter Real V = 24, L = 5e-4, C = 1e-4, R = 5, period = 1e-4, duty = 0.5;
  parameter Real Ron = 1e-5, Goff = 1e-5;
  Real i(start = 1.8, fixed = true) "through the inductor";
  Real v(start = 12, fixed = true) "across the load";
  Real node "voltage between switch, diode and inductor";
  Real iSwitch, s "where the diode is on its curve";
  Boolean on, off(start = true);
  discrete Real begin(start = 0, fixed = true);
equation
  when sample(0, period) then
    begin = time;
  end when;
  on = time < begin + duty*period;
  off = s < 0;
  iSwitch = (V - node)*(if on then 1/Ron else Goff);
  -node = s*(if off then 1 else Ron);
  i = iSwitch + s*(if off then Goff else 1);
  L*der(i) = node - v;
  C*der(v) = i - v/R;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end Buck;
