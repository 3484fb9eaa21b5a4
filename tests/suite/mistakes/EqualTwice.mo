// compile:
// The same equality said twice, the other way round. One equation is too many, and one variable has none.
model EqualTwice
  Real a, b; //~ error[structurally-singular] not determined
equation
  a = b;
  b = a; //~ error[structurally-singular] an equation determines no unknown
end EqualTwice;
