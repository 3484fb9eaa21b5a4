// compile:
// An argument too few. Its name is told.
model MissingArgument
  function sum2
    input Real a;
    input Real b;
    output Real c;
  algorithm
    c := a + b;
  end sum2;
  Real x = sum2(1); //~ error[missing-argument] `b`
end MissingArgument;
