// compile:
// `pow` of other languages. The help has `^`.
model Pow
  Real y = pow(time, 2); //~ error[unknown-function] `pow`
end Pow;
