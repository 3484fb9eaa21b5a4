// run: stop=1 ; check: k(0.4)=1 ; check: k(0.6)=2 ; check: a(0.6)=1.2±1e-12 ; check: m(0.4)=1 ; check: m(0.6)=2 ; check: b(0.6)=1 ; check: s.phase(0.4)=1 ; check: s.phase(0.6)=2 ; check: x(1)=1.5±1e-3 ; check: c(0.6)=1 ; effort: state_events=0
// compile: ; print: causal
model ChangesBetweenEvents "A number from a function of continuous arguments is not held between events"
  function both
    input Real u;
    output Real a;
    output Integer k;
  algorithm
    a := 2*u;
    k := if u > 0.5 then 2 else 1;
  end both;
  function one
    input Real u;
    output Integer k;
  algorithm
    k := if u > 0.5 then 2 else 1;
  end one;
  record State
    Real p;
    Integer phase;
  end State;
  function state
    input Real p;
    output State s;
  algorithm
    s.p := p;
    s.phase := if p > 0.5 then 2 else 1;
  end state;
  Real a, x(start = 0, fixed = true);
  Integer k, m = one(time);
  Boolean b = m == 2, c = noEvent(time > 0.5);
  State s = state(time);
equation
  (a, k) = both(time);
  der(x) = s.phase;
end ChangesBetweenEvents;
