// run: stop=1 ; check: fast(0.95)=29 ; check: slow(0.95)=4 ; check: same(0.95)=10 ; check: v[1](0.95)=10 ; check: v[2](0.95)=48
// compile: ; print: flat
model FactorOfZero "What is multiplied by zero still says when its equation acts"
  // Until 0.95 the counter has ticks at 0, 0.1, ..., 0.9, a clock three times as fast
  // 29 ticks, one five times as fast 48, one a third as fast 4.
  Integer k(start = 0);
  Integer fast(start = 0), slow(start = 0), same(start = 0);
  Integer v[2](each start = 0);
  constant Integer none[2, 2] = zeros(2, 2);
equation
  when Clock(1, 10) then
    k = previous(k) + 1;
  end when;
  fast = previous(fast) + 1 + 0*superSample(k, 3);
  slow = previous(slow) + 1 - subSample(k, 3)*0;
  same = previous(same) + 1 + 0*k;
  v[1] = previous(v[1]) + 1 + none[1, :]*{k, k};
  v[2] = previous(v[2]) + 1 + none[1, 1]*superSample(k, 5);
end FactorOfZero;
