// run: stop=1 ; check: y(0)=2.00662037037037±1e-12 ; check: z(1)=2±1e-12
model RecursionOfUnknowns "A recursion whose end only a run knows"
  function parts
    input Real t, u;
    output Real y;
  algorithm
    if t < u then
      y := t;
    else
      y := parts(t/2, u) + parts(t/3, u) + parts(t/4, u) + parts(t/5, u);
    end if;
  end parts;
  function halves
    input Real t;
    output Integer n;
  algorithm
    n := if t < 1 then 0 else 1 + halves(t/2);
  end halves;
  Real y = parts(1 + time, 0.1);
  Real z = halves(1.5 + time) + 0*y;
end RecursionOfUnknowns;
