// compile:
// A value that is final. Both places are shown.
model FinalValue
  model Part
    final parameter Real k = 1;
    Real x = k;
  end Part;
  Part part(k = 2); //~ error[final-modified] cannot be modified
end FinalValue;
