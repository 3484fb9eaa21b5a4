// compile:
// A quotient for a whole number.
model WholeNumber
  parameter Integer n = 3/2; //~ error[binding-type] must be Integer
  Real x = n;
end WholeNumber;
