// compile:
// A section for the start without its second word. The help has both.
model InitialAlone
  Real x;
initial //~ error[unexpected-token] expected `equation` or `algorithm` after `initial`
  x = 1;
equation
  der(x) = -x;
end InitialAlone;
