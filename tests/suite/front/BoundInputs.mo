// run: stop=1 ; check: y(1)=3±1e-12 ; check: n(1)=0 ; check: m(1)=2
// compile: ; print: flat
model BoundInputs "An input with a value at the top is not left to the user; an empty array fits every type of element"
  connector Mark
    output Boolean set;
  end Mark;
  model Marks
    parameter Integer size = 0;
    Mark marks[size];
    Integer n = count(marks.set);
  equation
    for i in 1:size loop
      marks[i].set = true;
    end for;
  end Marks;
  function count
    input Boolean b[:];
    output Integer n;
  algorithm
    n := 0;
    for i in 1:size(b, 1) loop
      n := if b[i] then n + 1 else n;
    end for;
  end count;
  input Real u = 2*time + 1;
  Real y = u;
  Marks none, two(size = 2);
  Integer n = none.n, m = two.n;
end BoundInputs;
