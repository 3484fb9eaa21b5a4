// run: stop=12 ; check: i(5.5)=12 ; check: i(6.5)=11 ; check: first(5.5)=1 ; check: first(6.5)=0
model StateMachine "A state machine without a clock of its own ticks every second"
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
  Boolean first = activeState(state1);
equation
  transition(state1, state2, i > 10, immediate = false);
  transition(state2, state1, i < 1, immediate = false, priority = 1);
  initialState(state1);
end StateMachine;
