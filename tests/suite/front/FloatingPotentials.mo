// compile
// A circuit without a ground is one mistake, and the message names what floats.
model FloatingPotentials
  connector Pin Real v(unit="V"); flow Real i(unit="A"); end Pin;
  model Source Pin p, n; equation p.v - n.v = 10; p.i + n.i = 0; end Source;
  model Load Pin p, n; equation p.v - n.v = 2*p.i; p.i + n.i = 0; end Load;
  Source source;
  Load load;
equation
  connect(source.p, load.p);
  connect(source.n, load.n); //~ error[floating-potentials] float: there is no ground in this circuit
end FloatingPotentials;
