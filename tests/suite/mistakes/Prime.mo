// compile:
// A derivative as in books. The help says how it is written.
model Prime
  Real x(start=1, fixed=true);
equation
  x' = -x; //~ error[unexpected-character] a prime behind a name
end Prime;
