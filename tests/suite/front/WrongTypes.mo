// compile
model WrongTypes
  Boolean b = true;
  Real x = if b then 1 else 2;
  Integer n = 5/2; //~ error[binding-type] must be Integer, not Real
equation
  assert(x + b > 0, "a number and a Boolean"); //~ error[operand-types] `+` cannot combine Real and Boolean
end WrongTypes;
