// run: stop=1 ; check: v(0.05)=2 ; check: v(0.15)=4 ; check: v(0.25)=6 ; check: v(0.35)=5 ; check: v(0.75)=1 ; check: v(0.85)=0 ; check: v(0.95)=2 ; check: down(0.25)=0 ; check: down(0.35)=1 ; check: down(0.95)=0
// compile: ; print: causal
model DelayedTransitions "Two states define one variable; each is left one tick after its condition is true"
  // Ticks 0, 1, 2 count up to 2, 4, 6; ticks 3 to 8 down to 5, 4, 3, 2, 1, 0; tick 9 up again.
  inner Integer v(start = 0);
  block Up
    outer output Integer v;
  equation
    v = previous(v) + 2;
  end Up;
  block Down
    outer output Integer v;
  equation
    v = previous(v) - 1;
  end Down;
  Up a;
  Down b;
  Boolean ticks = sample(true, Clock(1, 10));
  Boolean down = activeState(b);
equation
  initialState(a);
  transition(a, b, v >= 6 and ticks, immediate = false);
  transition(b, a, v == 0, immediate = false);
end DelayedTransitions;
