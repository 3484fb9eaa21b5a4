// run: stop=1
// What: the value is not finite. Where: the declaration. Way out: what to look for. Told whether or not anything is written.
model BeginsInfinite "A variable that follows from parameters alone, divided by one that is zero"
  parameter Real p = 0;
  Real x; //~ error[not-a-number] `x` is not a finite number
equation
  x = 1/p;
end BeginsInfinite;
