// run: stop=1 ; check: a.i(0.25)=3 ; check: b.j(0.35)=1 ; check: b.j(0.45)=2 ; check: a.i(0.35)=3 ; check: a.i(0.55)=4 ; check: b.j(0.65)=1 ; check: a.i(0.85)=5 ; check: b.j(0.95)=1
// compile: ; print: causal
model ResetTransitions "Variables of a state wait while it is not active, and begin again where a transition resets them"
  // a at ticks 0, 1, 2 with i = 1, 2, 3; b at 3, 4 with j = 1, 2; a at 5 goes on with 4, which is enough for b at 6,
  // which begins again; a at 8 with 5; b at 9.
  block A
    Integer i(start = 0) = previous(i) + 1;
  end A;
  block B
    Integer j(start = 0);
  equation
    j = previous(j) + 1;
  end B;
  A a;
  B b;
  Boolean ticks = sample(true, Clock(1, 10));
equation
  initialState(a);
  transition(a, b, a.i >= 3 and ticks, immediate = false);
  transition(b, a, b.j >= 2, immediate = false, reset = false);
end ResetTransitions;
