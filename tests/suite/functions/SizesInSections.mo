// run: stop=0.6 ; check: n(0.6)=2±0 ; check: s(0.6)=7±1e-12 ; check: c[1](0.6)=0.5±1e-12 ; check: c[2](0.6)=0.5±1e-12 ; check: c[3](0.6)=0±0 ; check: d[1](0.6)=0.5±1e-12 ; check: d[2](0.6)=0.5±1e-12 ; check: d[3](0.6)=0±0 ; check: e[2](0.6)=4±0 ; check: e[3](0.6)=0±0 ; check: rest(0.6)=3±0
model SizesInSections "Arrays in algorithm sections may have sizes that only the run knows"
  parameter Integer N = 4;
  parameter Integer none = 0 "How many more there are";
  parameter Real w[N] = {1, 2, 3, 4};
  Integer n, found[N], rest;
  Real s, c[N], d[N], e[N], empty[none];
algorithm
  // At 0.5 s the weights above 2 are the third and the fourth.
  when sample(0, 0.25) then
    n := 0;
    found := zeros(N);
    for i in 1:N loop
      if w[i] > 4*time then
        n := n + 1;
        found[n] := i;
      end if;
    end for;
    s := sum(w[found[1:n]]);
    c := zeros(N);
    c[1:n] := fill(1/n, n);
    d := zeros(N);
    for i in 1:n loop
      d[1:i] := fill(1/i, i);
    end for;
    e := zeros(N);
    e[1:n] := w[found[1:n]];
    // The last element of the sequence before the one at this tick.
    rest := pre(n) + 0*sum(found[1:n]);
  end when;
  // What is not reached need not fit: there is no first element.
  if none > 0 then
    empty[1] := 1;
  end if;
end SizesInSections;
