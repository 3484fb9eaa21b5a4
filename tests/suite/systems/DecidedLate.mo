// run: stop=1 ; check: s(1)=0±0 ; check: q(1)=0.5±1e-8 ; check: p(1)=0.5±1e-8
// compile: ; print: causal
model DecidedLate "A Boolean that parameters determine chooses between equations of other unknowns, as a parameter does"
  parameter Real level = 0.3, height = 0.1;
  Boolean below = level > height;
  Boolean fills = not below and s > 0;
  // While the opening is below the level, the flow follows the pressures; otherwise one of s, q is zero.
  Real p(start = 0, fixed = true), q, s;
equation
  der(p) = 0.5;
  if below then
    q = p;
    s = 0;
  elseif fills then
    s = q;
    p = 2;
  else
    s = p - 2;
    q = 0;
  end if;
end DecidedLate;
