// compile:
// A number as a condition. The help has a relation.
model WhenReal
  Real x(start=1, fixed=true);
equation
  der(x) = -1;
  when x then //~ error[not-boolean] must be Boolean
    reinit(x, 1);
  end when;
end WhenReal;
