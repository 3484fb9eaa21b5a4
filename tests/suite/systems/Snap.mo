// run: stop=1 tolerance=1e-8 ; check: v(0.2)=0.6635433767524809±1e-9 ; check: v(0.8)=0.9037008387710345±1e-9
model Snap "A diode whose source jumps: plain steps of Newton's method overflow its exponential, a continuation does not"
  Real v(start = 0.6), i;
  Real u = if time < 0.5 then 1 else 5000;
equation
  u = v + i;
  i = 1e-12*(exp(v/0.025) - 1) + 1e-9*v;
end Snap;
