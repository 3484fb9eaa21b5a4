// run: stop=1 ; check: x[1](0.4)=3±0 ; check: x[1](end)=6±0 ; check: x[2](end)=5±0 ; check: above(0.4)=2±0 ; check: above(end)=1±0 ; check: reached(0.4)=2±0 ; check: reached(end)=3±0 ; check: total(end)=6±0 ; check: twice(end)=12±0 ; check: c[2](end)=0±0 ; check: c[3](end)=6±0 ; check: z[1](end)=3±0 ; check: z[3](end)=10±0 ; check: first(end)=6±0 ; check: largest(end)=3±0 ; check: b[1](end)=14±0 ; check: b[2](end)=15±0 ; check: r.p(end)=6±0 ; check: r.q[1](end)=6±0 ; check: r.q[2](end)=3±0 ; check: moved(0.7)=1±0 ; check: moved(0.8)=2±0
model SizesAnywhere "Arrays of sizes that only the run knows in conditions, bounds, loops, comprehensions and parts of what is assigned"
  record R
    Real p;
    Real q[2](each start = 0);
  end R;
  function f
    input Real u[:];
    output Real s = sum(u);
    output Real t = max(u);
  algorithm
  end f;
  parameter Real w[4] = {1, 2, 3, 4};
  Integer k = if time < 0.5 then 2 else 3;
  Integer reached;
  Real x[2], above, total, twice, c[4], z[3], first, largest, b[2], moved;
  R r;
equation
  // Of x the section assigns one element only.
  x[2] = 5;
algorithm
  x[1] := sum(w[1:k]);
  // 1 + 2 is not above 4, 1 + 2 + 3 is.
  if sum(w[1:k]) > 4 then
    above := 1;
  else
    above := 2;
  end if;
  // The fewest that reach k + 1, which is 3 and then 4.
  reached := 0;
  while reached < 4 and sum(w[1:reached]) < k + 1 loop
    reached := reached + 1;
  end while;
  total := 0;
  for v in w[1:k] loop
    total := total + v;
  end for;
  twice := 0;
  for v in (1:k)*2 loop
    twice := twice + v;
  end for;
  c := zeros(4);
  c[k] := sum(w[1:k]);
  // The size depends on the iterator, too: 1 + 2, 1 + 2 + 3, 1 + 2 + 3 + 4.
  z := {sum(w[1:j + k - 2]) for j in 1:3};
  (first, largest) := f(w[1:k]);
  // 1 + 4 + 9 and 3*(2 + 3).
  b := {w[1:k]*w[1:k], 3*sum({w[i] for i in 2:k})};
  r.p := sum(w[1:k]);
  for v in w[1:k] loop
    r.q[1] := r.q[1] + v;
    r.q[2] := v;
  end for;
  assert(sum(w[1:k]) < 10, "all of them");
  // The relation stands outside of what becomes a function, so it raises an event: 6*time passes 4.5 at 0.75.
  moved := if time*sum(w[1:k]) > 4.5 then 2 else 1;
end SizesAnywhere;
