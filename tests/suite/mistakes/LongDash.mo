// compile:
// A minus sign of a word processor. The help has the plain one.
model LongDash
  Real y = 3 − 1; //~ error[unexpected-character] `−` is not an operator
end LongDash;
