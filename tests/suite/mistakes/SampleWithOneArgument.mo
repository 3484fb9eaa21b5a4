// compile:
// An interval without a start. The help has the form with both.
model SampleWithOneArgument
  Real x(start = 0, fixed = true);
equation
  when sample(0.1) then //~ error[not-boolean] `sample` with one argument samples a value
    x = pre(x) + 1;
  end when;
end SampleWithOneArgument;
