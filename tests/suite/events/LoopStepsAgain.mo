// run: stop=3 tolerance=1e-9 ; check: u1(0.5)=0±1e-9 ; check: u1(1.5)=4±1e-7 ; check: u2(1.5)=2±1e-7 ; check: u1(2.5)=2±1e-7 ; check: u2(2.5)=1±1e-7
model LoopStepsAgain "A source steps twice in a loop of capacitors, once by a discrete variable: charge on the node between is conserved"
  parameter Real C1 = 1, C2 = 2;
  Real u1(start = 0, fixed = true), u2(start = 0), i;
  discrete Real late(start = 0, fixed = true);
  Real e = (if time < 1 then 0 else 6) + late;
equation
  C1*der(u1) = i;
  C2*der(u2) = i;
  u1 + u2 = e;
  when time >= 2 then
    late = -3;
  end when;
end LoopStepsAgain;
