// compile:
// A misspelt attribute. The message names the type and the nearest attribute.
model MisspeltAttribute
  Real x(min = 0, strt = 1) = time; //~ error[unknown-modified] `Real` has no element `strt` to modify
end MisspeltAttribute;
