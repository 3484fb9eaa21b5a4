// run: stop=0.1 tolerance=1e-7 method=esdirk ; effort: state_events=19 ; check: i(end)=-8.72695±0.002
// compile: ; print: causal
model ClampedCurrent "A decay that is over long before the step ends calls no diode"
  parameter Real L = 1e-3, U = 5, Ron = 1e-5, Goff = 1e-5;
  Real i(start = 0, fixed = true), v, iUp, iDown, sUp, sDown;
  Boolean offUp, offDown;
equation
  L*der(i) = U/2 + U*sin(314.1592653589793*time) - v;
  i = iUp - iDown;
  offUp = sUp < 0;
  v - U = sUp*(if offUp then 1 else Ron);
  iUp = sUp*(if offUp then Goff else 1);
  offDown = sDown < 0;
  -v = sDown*(if offDown then 1 else Ron);
  iDown = sDown*(if offDown then Goff else 1);
end ClampedCurrent;
