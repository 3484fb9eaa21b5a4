// run: stop=1 ; check: x[1,2](1)=832040±1e-6 ; check: p(1)=832040±1e-6 ; check: y(1)=832040±1e-6 ; check: one[1,1](1)=1±0 ; check: one[1,2](1)=0±0
model MatrixPowers "Powers of [1, 1; 1, 0] have Fibonacci's numbers, by values, in equations and in functions"
  function power
    input Real a[2, 2];
    output Real b[2, 2];
  algorithm
    b := a^30;
  end power;
  parameter Real fibonacci[2, 2] = [1, 1; 1, 0]^30;
  Real p = fibonacci[1, 2]*step;
  Real step(start = 1, fixed = true);
  Real x[2, 2] = [step, 1; 1, 0]^30;
  Real f[2, 2] = power([step, 1; 1, 0]);
  Real y = f[1, 2];
  Real one[2, 2] = [step, 1; 1, 0]^0;
equation
  der(step) = 0;
end MatrixPowers;
