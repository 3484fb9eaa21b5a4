// run: stop=1 ; check: a(0.2)=1 ; check: a(1)=0 ; check: b(1)=0 ; check: k(1)=3 ; check: m(1)=4
model ConstantBreaksLoop "A discrete variable that is constant takes a branch out of a loop"
  Boolean d, e, a(start = true, fixed = true), b;
  Integer k, m, j;
equation
  d = false;
  e = not d;
  b = if d then a else pre(a);
  a = time < 0.5 and b;
  j = 1;
  k = if j == 2 then m else 3;
  m = if e then k + 1 else 7;
end ConstantBreaksLoop;
