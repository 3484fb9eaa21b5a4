// run: stop=1 ; check: a.rows(1)=1 ; check: b.rows(1)=4 ; check: a.first(1)=0±0 ; check: b.first(1)=3±0
// compile: ; print: flat
model EmptyTables "A branch that means nothing for an empty array is excluded by its size"
  model Part
    parameter Real list[:] = {1, 2};
    parameter Integer n = size(list, 1);
    parameter Real table[:, 2] = if n > 0 then [list[1], 0; list, {i for i in 1:n}] else [0, 1];
    Integer rows = size(table, 1);
    Real first = table[1, 1];
  end Part;
  Part a(list = fill(0.0, 0));
  Part b(list = {3, 4, 5});
end EmptyTables;
