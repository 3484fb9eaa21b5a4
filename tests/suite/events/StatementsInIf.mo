// run: stop=1 ; check: a(end)=11 ; check: x(0.5)=1±1e-9 ; check: x(end)=1±1e-9
model StatementsInIf "Statements of a when-clause inside an if act only where both conditions hold"
  Integer k(start = 0, fixed = true);
  Integer a(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 0;
algorithm
  when sample(0, 0.1) then
    k := pre(k) + 1;
    if k == 3 then
      reinit(x, 1);
    end if;
  end when;
  when terminal() then
    if k < 5 then
      assert(false, "too few");
    else
      a := k;
    end if;
  end when;
end StatementsInIf;
