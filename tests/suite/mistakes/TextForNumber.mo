// compile:
// A text for a number.
model TextForNumber
  Real x = "1"; //~ error[binding-type] must be Real
end TextForNumber;
