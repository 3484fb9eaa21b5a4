// compile:
// A model that contains itself.
model Itself
  Itself inside; //~ error[cyclic-components] contains itself
  Real x = 1;
end Itself;
