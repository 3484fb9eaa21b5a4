// compile:
// A value without `else`. The help says that every case needs one.
model IfWithoutElse
  Real x;
equation
  x = if time > 0.5 then 1; //~ error[unexpected-token] expected `else`
end IfWithoutElse;
