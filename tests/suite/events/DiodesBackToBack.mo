// run: stop=2 tolerance=1e-9 ; check: u(1)=0±1e-9 ; check: u(1.9)=0±1e-9 ; check: ia(1.9)=2.508850±1e-5 ; check: ib(1.9)=0±1e-9
model DiodesBackToBack "Two ideal diodes back to back hold a capacitor at zero: one carries the current 3.969/1.582, the other nothing"
  Real u(start = 0, fixed = true), w, i, ic, ia, ib, sa(start = 0), sb(start = 0);
  Boolean offa(start = false), offb(start = false);
equation
  ic = 0.293*der(u);
  w = 1.582*i;
  u - w = if time < 1.7 then 0 else 3.969;
  offa = sa < 0;
  u = if offa then sa else 0;
  ia = if offa then 0 else sa;
  offb = sb < 0;
  -u = if offb then sb else 0;
  ib = if offb then 0 else sb;
  0 = ic + i + ia - ib;
end DiodesBackToBack;
