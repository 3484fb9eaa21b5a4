// run: stop=1 ; check: n(0.15)=1 ; check: n(0.25)=2 ; check: n(0.35)=0 ; check: n(0.55)=2 ; check: n(0.75)=3 ; check: n(0.95)=3 ; check: ticks(0.25)=1 ; check: ticks(0.55)=1 ; check: ticks(0.65)=2
// compile: ; print: causal
model HistoryState "A machine in a state that is entered without reset goes on where it was"
  // a at ticks 0, 1; b at tick 2, while s is left at ticks 3 and 4; b again at ticks 5 and 6, since its time began
  // anew; c from tick 7 on.
  inner Integer n(start = 0);
  inner Integer ticks(start = 0);
  block Inside
    parameter Integer number;
    outer output Integer n, ticks;
  equation
    n = number;
    ticks = ticksInState();
  end Inside;
  block Around
    inner outer output Integer n, ticks;
    Inside a(number = 1), b(number = 2), c(number = 3);
  equation
    initialState(a);
    transition(a, b, ticksInState() >= 2, immediate = false);
    transition(b, c, ticksInState() > 2, priority = 1);
  end Around;
  block Pause
    outer output Integer n;
  equation
    n = 0;
  end Pause;
  Around s;
  Pause p;
  Real t = sample(time, Clock(1, 10));
equation
  initialState(s);
  transition(s, p, t > 0.25 and t < 0.45);
  transition(p, s, t > 0.45, reset = false);
end HistoryState;
