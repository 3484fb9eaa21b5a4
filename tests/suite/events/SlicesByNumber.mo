// run: stop=2.5 ; check: m[1,1](end)=7 ; check: m[1,2](end)=8 ; check: m[2,1](end)=7 ; check: m[2,2](end)=8 ; check: m[1,1](0.5)=1 ; check: m[2,2](1.5)=4 ; check: q[1](end)=20 ; check: q[2](end)=0 ; check: q[3](end)=10
// Rows and vectors of positions behind subscripts that are known only when they are assigned: the memory
// begins with {{1, 2}, {3, 4}} and gets {7, 8} in row 1 from time 1 on, in row 2 from time 2 on.
model SlicesByNumber
  Integer a;
  Integer m[2, 2](each start = 0);
  discrete Real q[3](each start = 0);
algorithm
  if initial() then
    m := {{1, 2}, {3, 4}};
  end if;
  a := integer(time);
  if a > 0 then
    m[a, 1:2] := {7, 8};
  end if;
algorithm
  when sample(1, 1) then
    q[{integer(time + 0.5) + 1, 1}] := {10, 20};
    q[2] := 0;
  end when;
end SlicesByNumber;
