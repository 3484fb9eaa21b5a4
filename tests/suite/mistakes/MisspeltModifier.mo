// compile:
// A parameter that the class does not have. The help has the one it has.
model MisspeltModifier
  model Resistor
    parameter Real R = 1;
    Real v = R*time;
  end Resistor;
  Resistor r(r = 3); //~ error[unknown-modified] no element `r`
end MisspeltModifier;
