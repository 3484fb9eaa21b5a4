// run:
// A start value below the minimum.
model NegativeStart
  Real level(min=0, start=-1, fixed=true); //~ warning[out-of-range] below its minimum 0
equation
  der(level) = 1;
end NegativeStart;
