// compile: model=WrongMachines
model WrongMachines "What is wrong with a state machine is said where it is"
  block S
  end S;
  block Out
    outer output Integer v;
  equation
    v = previous(v) + 1; //~ error[parallel-states] two states that may be active at once define `v`
  end Out;
  inner Integer v(start = 0);
  S a, b, c, d, e, f, lonely;
  Out g, h;
  Integer n = ticksInState(); //~ error[no-state-machine] there is none around it
  Boolean q = activeState(lonely); //~ error[no-state-machine] a block that is no state
  Boolean ticks = sample(true, Clock(1, 10));
equation
  initialState(a);
  initialState(b); //~ error[initial-state] two initial states
  transition(a, b, ticks);
  transition(c, d, ticks); //~ error[initial-state] no initial state
  initialState(e);
  transition(e, f, n > 1);
  transition(e, e, n > 2); //~ error[transition-priority] the priority 1
  transition(f, e, n > 3, priority = n); //~ error[transition-argument] known before the simulation
  initialState(g);
  initialState(h);
end WrongMachines;
