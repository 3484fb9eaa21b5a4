// compile:
// A function that forgets its result. The message names the output, the help has the statement.
model OutputWithoutValue
  function twice //~ warning[unassigned-output] the output `y` of `OutputWithoutValue.twice` never gets a value
    input Real x;
    output Real y;
  protected
    Real z;
  algorithm
    z := 2*x;
  end twice;
  Real a = twice(time);
end OutputWithoutValue;
