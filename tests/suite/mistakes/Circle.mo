// compile:
// Parameters that depend on each other.
model Circle
  parameter Real a = b; //~ error[parameter-cycle] depend on each other
  parameter Real b = a;
  Real x = a;
end Circle;
