// run: stop=1
model NoModeSolvable "Not the condition is to blame where the equations have no solution either way"
  Real x, y;
equation
  y = if x > 1 then 1 else 1.5;
  x^2 + y*exp(x) = 0; //~ error[system-not-solved]
end NoModeSolvable;
