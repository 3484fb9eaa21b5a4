// compile:
// `:=` among equations. What, where and way out are told.
model AssignInEquation
  Real x;
equation
  x := 1; //~ error[assignment-in-equation] `:=`
end AssignInEquation;
