// run: stop=1 ; check: v(0.45)=5 ; check: v(0.55)=15 ; check: v(0.75)=35 ; check: v(0.85)=135 ; check: v(0.95)=136
// compile: ; print: causal
model ImmediateTransitions "A state is left at the tick at which its condition is true; the smallest number goes first"
  // One a tick up to tick 4; ten a tick at 5, 6 and 7. At tick 8 two conditions are true, the first by priority
  // leads to hundreds, which holds only for a tick: a state is active for at least one, and its exit is true then.
  inner Integer v(start = 0);
  block Add
    parameter Integer step;
    outer output Integer v;
  equation
    v = previous(v) + step;
  end Add;
  Add ones(step = 1), tens(step = 10), hundreds(step = 100);
  Real t = sample(time, Clock(1, 10));
equation
  initialState(ones);
  transition(ones, tens, t > 0.45 and t < 0.75);
  transition(tens, ones, t > 0.75, priority = 2);
  transition(tens, hundreds, t > 0.75, priority = 1);
  transition(hundreds, ones, t > 0.75);
end ImmediateTransitions;
