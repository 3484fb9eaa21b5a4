// run: stop=2 tolerance=1e-9 ; check: u3(1)=0±1e-9 ; check: u3(1.45)=1.699697±1e-5 ; check: off7(1.45)=1 ; check: off8(1.45)=0
model StepSwitchesDiode "A source steps across two capacitors: the charge between them is conserved, since the diode that would carry it blocks the pulse"
  // u3 = 2.433 - 2.433*0.121/(0.176 + 0.121)*exp(-(t - 1.2)/(2.793*(0.176 + 0.121)))
  Real v2, v3, v4, u3, i1, i2, i3, i5, i7, i8, s7(start = 0), s8(start = 0);
  Boolean off7(start = false), off8(start = false);
initial equation
  v3 = 0;
equation
  v2 = 2.793*i1;
  i2 = 0.176*der(v3);
  u3 = v4 - v3;
  i3 = 0.121*der(u3);
  v4 = if time < 1.2 then 0 else 2.433;
  off7 = s7 < 0;
  v2 - v4 = if off7 then s7 else 0;
  i7 = if off7 then 0 else s7;
  off8 = s8 < 0;
  v3 - v2 = if off8 then s8 else 0;
  i8 = if off8 then 0 else s8;
  0 = i1 + i7 - i8;
  0 = i2 - i3 + i8;
  0 = i3 + i5 - i7;
end StepSwitchesDiode;
