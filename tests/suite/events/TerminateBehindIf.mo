// run: stop=5 ; check: x(3)=3±1e-6 ; check: n(3)=3
model TerminateBehindIf "What stands behind a condition in a when-equation ends the run only where that holds"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(1, 1) then
    n = pre(n) + 1;
    if n > 3 then
      terminate("never, for the third tick ends the run");
    elseif x > 2.5 then
      terminate("at three");
    end if;
  end when;
end TerminateBehindIf;
