model Calendar "Events that plan the next one, at instants from a linear congruential generator"
  parameter Integer nMax = 10000000;
  Integer s(start = 1, fixed = true), k(start = 0, fixed = true), sum(start = 0, fixed = true);
  discrete Real next(start = 0.5, fixed = true);
algorithm
  when time >= pre(next) then
    s := mod(pre(s)*1103 + 12345, 65536);
    k := pre(k) + 1;
    sum := mod(pre(sum) + s, 1000003);
    next := if k < nMax then pre(next) + (1 + s)/65536 else 1e60;
  end when;
end Calendar;
