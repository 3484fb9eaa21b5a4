// compile:
// A library that is not there. The help has the command that installs it.
model NoLibrary
  Thermolib.Electrical.Resistor r(R = 1); //~ error[missing-library] `Thermolib`
end NoLibrary;
