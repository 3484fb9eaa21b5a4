// compile
model WrongSizes
  Real a[2], b[3];
equation
  a = {time, 2*time};
  b = a; //~ error[equation-types] Real[3] and Real[2]
end WrongSizes;
