// compile:
// A decimal comma. The help has the point.
model DecimalComma
  Real y = 3,5; //~ error[unexpected-token] found a number
end DecimalComma;
