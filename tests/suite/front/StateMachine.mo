// compile
model StateMachine "State machines are typed; running them is refused with a message"
  inner Integer i(start = 0);
  block State1
    outer output Integer i;
  equation
    i = previous(i) + 2;
  end State1;
  block State2
    outer output Integer i;
  equation
    i = previous(i) - 1;
  end State2;
  State1 state1;
  State2 state2;
  Boolean first = activeState(state1); //~ error[state-machines-unsupported] cannot be run yet
equation
  transition(state1, state2, i > 10, immediate = false);
  transition(state2, state1, i < 1, immediate = false, priority = 1);
  initialState(state1);
end StateMachine;
