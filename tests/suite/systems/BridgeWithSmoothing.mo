// run: stop=0.06 tolerance=1e-9 ; check: balance(end)=0±1e-5 ; check: wrong(end)=0±1e-6 ; check: sum(0.05)=0±1e-9 ; check: c.u(0.0012)=5.8787±5e-4
// run: stop=0.06 tolerance=1e-9 method=bdf ; check: balance(end)=0±1e-4 ; check: wrong(end)=0±1e-6
model BridgeWithSmoothing
  "Three coils, a bridge of ideal diodes and a capacitor, all without energy at first"
  // Which currents are zero, and which add up, is another thing in every mode, and hidden in the capacitor's two sides.
  // The voltage at 1.2 ms is that of implicit Euler with steps of 1e-7 s that tries all combinations.
  import E = Kairos.Electrical;
  constant Real pi = 2*acos(0);
  E.Sources.SineVoltage s[3](each V=10, each f=50, phase={0, -2*pi/3, -4*pi/3});
  E.Basic.Inductor l[3](each L=1e-3);
  E.Ideal.Diode up[3], lo[3];
  E.Basic.Capacitor c(C=1e-3);
  E.Basic.Resistor r(R=10);
  E.Basic.Ground g;
  Real given(start=0, fixed=true), lost(start=0, fixed=true);
  Real balance = given - lost - 0.5e-3*c.u^2 - 0.5e-3*(l[1].i^2 + l[2].i^2 + l[3].i^2)
    "energy is kept";
  Real sum = l[1].i + l[2].i + l[3].i "nothing flows back to the neutral point";
  Real wrong(start=0, fixed=true) "no diode conducts backwards or blocks forwards";
equation
  for k in 1:3 loop
    connect(s[k].n, g.p);
    connect(s[k].p, l[k].p);
    connect(l[k].n, up[k].p);
    connect(up[k].n, c.p);
    connect(lo[k].n, l[k].n);
    connect(lo[k].p, c.n);
  end for;
  connect(r.p, c.p);
  connect(r.n, c.n);
  der(given) = -(s[1].u*s[1].i + s[2].u*s[2].i + s[3].u*s[3].i);
  der(lost) = r.u*r.i;
  der(wrong) = noEvent(max(0, max(up.u)) + max(0, -min(up.i)) + max(0, max(lo.u))
    + max(0, -min(lo.i)));
end BridgeWithSmoothing;
