// compile:
// An iterator that hides a component. Both places are shown.
model HiddenName
  Real i = 3;
  Real y[3];
equation
  for i in 1:3 loop //~ warning[shadowed-name] hides the component
    y[i] = i;
  end for;
end HiddenName;
