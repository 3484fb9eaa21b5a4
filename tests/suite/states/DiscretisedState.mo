// run: stop=1 ; check: fill.x(0.25)=0.2±1e-12 ; check: fill.x(0.45)=0.3±1e-12 ; check: fill.x(0.65)=0.3±1e-12 ; check: fill.x(0.75)=0±1e-12 ; check: fill.x(0.95)=0.2±1e-12
// compile: ; print: causal
model DiscretisedState "A differential equation in a state is integrated while that is active, and begins again with it"
  // x = 0, 0.1, 0.2, 0.3 at ticks 0 to 3; ticks 4 to 6 in the other state; from tick 7 on again from zero.
  block Fill
    Real x(start = 0);
  equation
    der(x) = 1;
  end Fill;
  block Wait
  end Wait;
  Fill fill;
  Wait wait;
  Boolean ticks = sample(true, Clock(Clock(1, 10), solverMethod = "ExplicitEuler"));
equation
  initialState(fill);
  transition(fill, wait, fill.x > 0.25 and ticks, immediate = false);
  transition(wait, fill, ticksInState() >= 3, immediate = false);
end DiscretisedState;
