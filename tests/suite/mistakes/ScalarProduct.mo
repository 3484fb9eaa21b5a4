// compile:
// The product of two vectors is a number; it was given to an array without a word before.
model ScalarProduct
  Real a[3] = {1, 2, 3};
  Real b[3] = {4, 5, 6};
  Real c[3] = a*b; //~ error[binding-size] a single number
end ScalarProduct;
