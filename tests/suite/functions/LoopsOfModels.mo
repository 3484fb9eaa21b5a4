// run: stop=2 tolerance=1e-9 ; check: n(1.4)=0±0 ; check: n(end)=7±0 ; check: s(end)=28±0 ; check: z(end)=0.5±1e-7 ; check: x(1.2)=2±0 ; check: g(end)=3±0 ; check: k(end)=3±0 ; check: t(end)=10±0 ; check: q(end)=1.4142135623730951±1e-12 ; check: filled(end)=4±0
// compile: ; print: flat
model LoopsOfModels "Loops in algorithms of models that turn as often as the run demands"
  Integer n(start=0, fixed=true), s(start=0, fixed=true) "1 + 2 + ... + 7";
  Integer k(start=0, fixed=true), t(start=0, fixed=true), a[5](each start=0, each fixed=true);
  Integer g, filled = sum(if e > 0 then 1 else 0 for e in a);
  Real z(start=0, fixed=true), x, q "the root of two, by Heron";
algorithm
  when z >= 1.5 then
    n := pre(n);
    s := 0;
    while n < 7 loop
      n := n + 1;
      s := s + n;
    end while;
    k := 0;
    for i in 1:n loop
      if i > 3 then
        break;
      end if;
      k := k + 1;
    end for;
    // The outer loop is unrolled, the inner one is not: 1 + 2 + 3 + 4.
    t := 0;
    for i in 1:4 loop
      for j in 1:k loop
        t := t + (if j < 2 then i else 0);
      end for;
    end for;
    for i in 2:k+2 loop
      a[i] := i;
    end for;
  end when;
algorithm
  // The first power of two that is not less than the time.
  x := 1;
  while x < time loop
    x := 2*x;
  end while;
algorithm
  g := 12;
  while mod(g, 2) == 0 loop
    g := div(g, 2);
  end while;
algorithm
  q := 1;
  while abs(q*q - 2) > 1e-14 loop
    q := (q + 2/q)/2;
  end while;
equation
  der(z) = 1;
  when z >= 1.5 then
    reinit(z, 0);
  end when;
end LoopsOfModels;
