// run: stop=4 ; check: entered(end)=3 ; check: same(end)=1 ; check: changes(end)=3 ; check: late(0.5)=0 ; check: late(end)=1 ; check: chosen(end)=2 ; check: length(end)=9
model Texts "A discrete variable may be a text: it keeps its value, has a left limit, and an edge where it becomes another"
  function measure
    input String text;
    output Integer n;
  algorithm
    n := if text == "b twice c" then 9 else 0;
  end measure;
  // "a" at first, "b" from 1 on, also after the tick at 2, "c" from 3 on.
  String s(start = "a", fixed = true), before(start = "", fixed = true), sum(start = "", fixed = true);
  String shown = if time > 1.5 then "late" else "early";
  Boolean late = shown == "late";
  Integer entered(start = 0, fixed = true), same(start = 0, fixed = true), changes(start = 0, fixed = true);
  Integer chosen(start = 0, fixed = true), length;
equation
  when sample(1, 1) then
    s = if time < 2.5 then "b" else "c";
    before = pre(s);
  end when;
  length = measure(sum);
  when {s == "b", s == "c", shown == "late"} then
    entered = pre(entered) + 1;
  end when;
  when s == "b" then
    same = pre(same) + 1;
  end when;
  when {before == "a", before == "b", before == "c"} then
    changes = pre(changes) + 1;
  end when;
algorithm
  when s == "b" then
    chosen := 1;
    sum := s + " twice";
  elsewhen s == "c" then
    chosen := if pre(s) == "b" then 2 else 3;
    sum := pre(sum) + " " + s;
  end when;
end Texts;
