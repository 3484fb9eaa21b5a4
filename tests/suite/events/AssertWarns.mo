// run: stop=3 ; check: x(3)=3±1e-6
model AssertWarns
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 2 then
    assert(false, "x passes two", AssertionLevel.warning); //~ warning[assertion-warning] x passes two
  end when;
end AssertWarns;
