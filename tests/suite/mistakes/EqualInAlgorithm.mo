// compile:
// `=` among statements. What, where and way out are told.
model EqualInAlgorithm
  Real x;
algorithm
  x = 1; //~ error[equation-in-algorithm] `:=`
end EqualInAlgorithm;
