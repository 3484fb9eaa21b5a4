// compile:
// The edge of a number. The message says what `edge` takes.
model EdgeOfReal
  Real x = time;
  Boolean b = edge(x); //~ error[argument-type] Boolean
end EdgeOfReal;
