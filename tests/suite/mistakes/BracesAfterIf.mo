// compile:
// An `if` as C writes it. The help shows how Modelica does.
model BracesAfterIf
  Real x;
equation
  x = if (time > 1) { 1 } else { 2 }; //~ error[unexpected-token] expected `then`
end BracesAfterIf;
