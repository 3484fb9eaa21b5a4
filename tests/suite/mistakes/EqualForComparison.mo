// compile:
// One sign for two meanings. The help has `==`.
model EqualForComparison
  Integer n = 2;
  Boolean b;
equation
  b = n = 2; //~ error[unexpected-token] expected `;`, found `=`
end EqualForComparison;
