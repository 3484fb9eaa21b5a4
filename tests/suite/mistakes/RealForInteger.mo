// compile:
// What: a Real equation for an Integer. Where: the equation. Way out: `integer(...)` or another type.
model RealForInteger "An Integer is set to a value that moves"
  Integer n;
equation
  n = 2.5*time; //~ error[real-for-integer] `n` is an Integer
end RealForInteger;
