// compile:
model DiscreteNothing "A discrete equation that holds for every value determines none (MLS 8.6)"
  discrete Real x(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    x = x + 1; //~ error[discrete-loop] `x` has no order of evaluation
  end when;
end DiscreteNothing;
