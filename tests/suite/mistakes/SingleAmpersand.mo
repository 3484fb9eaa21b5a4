// compile:
// `&` of other languages. The help has the operator of Modelica.
model SingleAmpersand
  Boolean b = time > 1 & time < 2; //~ error[unexpected-character] `&` is not an operator
end SingleAmpersand;
