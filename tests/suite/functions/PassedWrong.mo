// compile
model PassedWrong "Functions that cannot be called as the function that takes them does"
  partial function Curve
    input Real x;
    output Real y;
  end Curve;
  function at
    input Curve f;
    input Real x;
    output Real y = f(x);
  algorithm
  end at;
  function constant1
    output Real y = 1;
  algorithm
  end constant1;
  function sum2
    input Real x;
    input Real z;
    output Real y = x + z;
  algorithm
  end sum2;
  Real a = at(constant1, time); //~ error[argument-type] must be a function of 1 input, not a function of 0 inputs
  Real b = at(sum2, time); //~ error[missing-argument] needs a value for `z`
  Real c = at(function sum2(z = 1), time);
end PassedWrong;
