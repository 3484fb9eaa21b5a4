// compile:
// `ln` of other languages. The help has `log`.
model NaturalLogarithm
  Real y = ln(time + 1); //~ error[unknown-function] `ln`
end NaturalLogarithm;
