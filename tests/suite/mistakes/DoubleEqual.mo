// compile:
// `==` as an equation. What, where and way out are told.
model DoubleEqual
  Real x;
equation
  x == 1; //~ error[comparison-as-equation] `==` compares
end DoubleEqual;
