// run: stop=1
model ClauseAtStartFails "A when-clause that acts at the start acts as a whole"
  Real x(start = 1, fixed = true);
equation
  der(x) = 4;
  when initial() then //~ error[assertion-failed] at time 0: begins above four
    assert(x > 4, "begins above four");
  end when;
end ClauseAtStartFails;
