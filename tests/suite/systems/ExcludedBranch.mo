// run: stop=1 ; check: f(1)=0.5403023058681398±1e-9 ; check: v(1)=-0.8414709848078965±1e-8
// compile: ; print: causal
model ExcludedBranch "A branch that the parameters exclude does not stop index reduction"
  function steps "Known to the compiler by name only: no derivative"
    input Real u;
    output Real y;
    external "C" y = floor(u);
  end steps;
  function wave
    input Real u;
    output Real y;
  algorithm
    y := cos(u);
  end wave;
  parameter Integer kind = 2;
  // The position is given, the force follows: f must be differentiated to give v.
  Real f, v;
equation
  f = if kind == 1 then steps(time) elseif kind == 2 then wave(time) else steps(2*time);
  v = der(f);
end ExcludedBranch;
