// compile:
// `end` with another name. Both places are shown.
model WrongEnd
  Real y = 1;
end WrongEnt; //~ error[end-name-mismatch] closed by
