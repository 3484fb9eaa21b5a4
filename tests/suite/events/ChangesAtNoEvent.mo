// run: stop=1 ; check: n(0.9)=0
model ChangesAtNoEvent "Where an event depends on such a number, nothing says when it happens (MLS 3.8.4)"
  function level
    input Real u;
    output Integer k;
  algorithm
    k := if u > 0.5 then 2 else 1;
  end level;
  Integer k = level(time);
  Integer n(start = 0, fixed = true);
equation
  when k > 1 then
    n = pre(n) + 1; //~ warning[changes-between-events] `k > 1` changes between events
  end when;
end ChangesAtNoEvent;
