// compile:
// An argument too many.
model TwoArguments
  Real x = sin(1, 2); //~ error[argument-count] takes 1
end TwoArguments;
