// run: stop=2.1 ; check: k(0.2)=0 ; check: k(0.3)=1 ; check: k(2.1)=8 ; check: dt(0.3)=0.125±1e-12 ; check: dt(0.6)=0.25±1e-12 ; check: m(0.7)=0 ; check: m(0.8)=1 ; check: m(1.1)=1 ; check: m(1.3)=2 ; check: gap(0.8)=0.25±1e-12 ; check: gap(1.3)=0.5±1e-12
// compile: ; print: flat
model ConditionClocks "A clock that ticks whenever a whole number changes, and every second of its ticks from the third on"
  // Ticks at 0.25, 0.5, 0.75, ...: the eighth at 2. The others at 0.75, 1.25, 1.75.
  Integer quarters = integer(4*time);
  Clock c = Clock(change(quarters), 0.125);
  Integer k(start = 0), m(start = 0);
  Real dt(start = 0), gap(start = 0);
equation
  when c then
    k = previous(k) + 1;
    dt = interval();
  end when;
  when subSample(shiftSample(c, 2), 2) then
    m = previous(m) + 1;
    gap = interval();
  end when;
end ConditionClocks;
