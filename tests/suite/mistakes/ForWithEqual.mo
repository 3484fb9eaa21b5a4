// compile:
// A loop as other languages write it: one message, with the form of Modelica.
model ForWithEqual
  Real x[3];
equation
  for i = 1:3 loop //~ error[unexpected-token] expected `in`
    x[i] = i;
  end for;
end ForWithEqual;
