// compile:
// `**` of other languages. The help has `^`.
model StarStar
  Real y = time ** 2; //~ error[unexpected-character] `**` is not an operator
end StarStar;
