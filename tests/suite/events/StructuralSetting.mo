// run: stop=1 set=n=4 set=k=2.5 ; check: total(1)=10±1e-6
model StructuralSetting "A size that is set asks for other equations"
  parameter Integer n = 2;
  parameter Real k = 1;
  Real x[n] = fill(k, n);
  Real total = time*sum(x);
end StructuralSetting;
