// compile:
// A variable that equals itself, which any value satisfies. What: nothing determines it. Where: equation and variable.
model BoundToItself
  Real v; //~ error[structurally-singular] `v` not determined
equation
  v = v; //~ error[structurally-singular] an equation determines no unknown
end BoundToItself;
