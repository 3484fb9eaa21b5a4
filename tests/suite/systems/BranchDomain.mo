// run: stop=2 tolerance=1e-8 model=BranchDomain.Emptying ; check: z(end)=0.6666666666666667±1e-6 ; check: h(end)=-1±1e-9
// run: stop=2 tolerance=1e-8 model=BranchDomain.FromZero ; check: z(end)=3.2324880±1e-5
// compile: model=BranchDomain.Emptying ; print: causal
package BranchDomain "A branch that has no values past its end does not hide the event that ends it"
  model Emptying
    Real h(start = 1, fixed = true), y, z(start = 0, fixed = true);
  equation
    der(h) = -1;
    y = if h >= 0 then sqrt(h) else 0;
    der(z) = y;
  end Emptying;

  model FromZero "The branch in force has no values from the beginning on"
    Real h(start = 0, fixed = true), y, z(start = 0, fixed = true);
  equation
    der(h) = -1;
    y = if h >= 0 then h^1.5 else (-h)^2.5;
    der(z) = y;
  end FromZero;
end BranchDomain;
