// run: stop=1 ; check: y(1)=12±1e-9 ; check: z(1)=4±1e-9
// compile: ; print: flat
model Packages "A function of a redeclared package sees that package's constants"
  package Medium
    replaceable constant Integer n = 2;
    replaceable function total
      input Real x;
      output Real y;
    algorithm
      y := 0;
      for i in 1:n loop
        y := y + 2*x;
      end for;
    end total;
  end Medium;
  package Triple = Medium(n = 6);
  model User
    replaceable package M = Medium;
    Real y = M.total(time);
  end User;
  User first(redeclare package M = Triple), second;
  Real y = first.y, z = second.y;
end Packages;
