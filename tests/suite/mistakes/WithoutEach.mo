// compile:
// One value for several parts. The help has `each`.
model WithoutEach
  model Resistor
    parameter Real R = 1;
    Real v = R*time;
  end Resistor;
  Resistor row[3](R = 2); //~ warning[missing-each] this value is one
end WithoutEach;
