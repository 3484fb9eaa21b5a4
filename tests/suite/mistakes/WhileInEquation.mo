// compile:
// A loop of algorithms among equations: one message, and no other for its end.
model WhileInEquation
  Real x;
equation
  while x < 3 loop //~ error[unexpected-token] expected an equation, found `while`
    x = 1;
  end while;
end WhileInEquation;
