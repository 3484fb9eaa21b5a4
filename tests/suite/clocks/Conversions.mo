// run: stop=1 ; check: third(0.05)=1 ; check: third(0.35)=4 ; check: third(0.65)=7 ; check: fast(0.17)=1 ; check: fast(0.21)=3 ; check: n(0.97)=20 ; check: late(0.02)=10 ; check: late(0.06)=1 ; check: late(0.12)=1 ; check: late(0.16)=2
// run: stop=1 ; check: early(0.05)=10 ; check: early(0.15)=1 ; check: early(0.25)=2 ; check: now(0.25)=3 ; check: before(0.25)=2 ; check: long(0.5)=0.3±1e-15 ; check: short(0.5)=0.05±1e-15
// compile: ; print: flat
model Conversions "Values and intervals of sub-clocks of a counter: 1, 2, 3, ... at ticks 0, 0.1, 0.2, ..."
  Clock c = Clock(1, 10);
  Integer k(start = 0);
  Integer third = subSample(k, 3);
  // Ticks at 0, 0.05, 0.1, ...: 20 of them before 0.97.
  Integer fast = superSample(subSample(k, 2), 4);
  Integer n(start = 0);
  // Ticks at 0.05, 0.15, ...; before them the start value, which an earlier clock sees as well.
  Integer late(start = 10) = shiftSample(k, 1, 2);
  Integer early = backSample(late, 1, 2);
  Integer now(start = 0), before(start = 0);
  Real long(start = 0), short(start = 0);
equation
  when c then
    k = previous(k) + 1;
  end when;
  n = previous(n) + (if fast > 0 then 1 else 0);
  when subSample(c, 2) then
    // At tick 0.2 the counter is 3, and was 2 until then.
    now = noClock(k);
    before = sample(hold(k));
  end when;
  long = interval(third);
  short = interval(fast);
end Conversions;
