// run: stop=2 ; check: in_a(0.45)=1 ; check: in_a(0.55)=0 ; check: b.dt(0.55)=0±1e-12 ; check: b.dt(0.75)=0.2±1e-12 ; check: in_a(0.85)=0 ; check: in_a(0.95)=1 ; check: in_a(1.35)=1 ; check: in_a(1.45)=0 ; check: again(0.25)=3 ; check: again(0.35)=1 ; check: again(0.45)=2
// compile: ; print: causal
model TimeInState "Five ticks in one state, three tenths of a second in the other, and a state that enters itself"
  // a at ticks 0 to 4 and 9 to 13. b is entered at tick 5; 0.3 s have passed at tick 8, which decides for tick 9.
  block A
  end A;
  block B
    Real dt = timeInState();
  end B;
  block Again
    Integer count = ticksInState();
  end Again;
  A a;
  B b;
  Again s;
  Integer again = s.count;
  Boolean in_a = activeState(a);
  Boolean ticks = sample(true, Clock(1, 10));
equation
  initialState(a);
  transition(a, b, ticksInState() >= 5 and ticks, immediate = false);
  transition(b, a, timeInState() > 0.25, immediate = false);
  // Ticks 0, 1, 2 count 1, 2, 3; entered again at ticks 3, 6, 9 counts from one: here 1, then 2 at tick 4.
  initialState(s);
  transition(s, s, ticksInState() > 3 and ticks);
end TimeInState;
