// compile:
// `!=` of other languages. The help has the operator of Modelica.
model NotEqual
  parameter Integer n = 1;
  Boolean b = n != 2; //~ error[unexpected-character] `!=` is not an operator
end NotEqual;
