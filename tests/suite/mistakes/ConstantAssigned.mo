// compile:
// A constant on the left of an assignment. The message names it.
model ConstantAssigned
  constant Real c = 1;
algorithm
  c := 2; //~ error[not-assignable] `c` is a constant
end ConstantAssigned;
