// compile
model ContainsItself "Two components of its own class"
  ContainsItself first, second; //~ error[cyclic-components] contains itself
  Real y = first.y;
end ContainsItself;
