// run: stop=1 ; check: a[1](end)=2±0 ; check: a[2](end)=1±0 ; check: b[3](end)=1±0 ; check: b[1](end)=2±0 ; check: p(end)=7±0 ; check: q(end)=5±0
model WholeArrays "Right sides of array assignments see the values from before"
  function swapped
    input Real u;
    input Real v;
    output Real x = v;
    output Real y = u;
  algorithm
  end swapped;
  Real a[2], b[3], p, q;
algorithm
  a := {1, 2};
  a := {a[2], a[1]};
  b := {1, 2, 3};
  b := cat(1, b[2:3], b[1:1]);
  p := 5;
  q := 7;
  (p, q) := swapped(p, q);
end WholeArrays;
