// compile:
// Real values compared with `==`. The help has a comparison that works.
model RealEquality
  Real x(start=0, fixed=true);
  Boolean b = x == 0.5; //~ error[real-equality] `==`
equation
  der(x) = 1;
end RealEquality;
