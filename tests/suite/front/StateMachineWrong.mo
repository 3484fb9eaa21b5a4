// compile
model StateMachineWrong
  block State
    Real x = 1;
  end State;
  State a, b;
  Real r = 1;
equation
  transition(a, b, 3); //~ error[argument-type] must be Boolean
  transition(a, r, true); //~ error[not-a-state] block or model
  transition(a, b, true, fast = true); //~ error[unknown-argument] `fast`
  initialState(a, b); //~ error[argument-count]
end StateMachineWrong;
