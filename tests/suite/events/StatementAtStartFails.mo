// run: stop=1
model StatementAtStartFails "A demand of a statement that the start reaches"
  Real x(start = 1, fixed = true);
initial algorithm
  if x > 0.8 then
    assert(x > 3, "begins above three"); //~ error[assertion-failed] at time 0: begins above three
  end if;
equation
  der(x) = 3;
end StatementAtStartFails;
