// compile:
// A parameter without a value. The message has its name, the help says where to give one.
model NoValue
  parameter Real k; //~ warning[parameter-without-value] `k` has no value
  Real x(start=1, fixed=true);
equation
  der(x) = -k*x;
end NoValue;
