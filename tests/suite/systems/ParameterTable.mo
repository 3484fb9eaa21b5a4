// run: stop=1 set=table[2,3]=100 ; check: y(1)=1740±1e-12 ; check: z(1)=41±1e-12
model ParameterTable "One call gives all elements of a table, but for those that are set: 100 + 40*40 + 40, and 40 + 1"
  parameter Integer n = 40;
  parameter Real table[n, n] = numbered(n);
  Real y = table[2, 3] + table[n, n];
  Real z = table[1, 1];
  function numbered
    input Integer n;
    output Real t[n, n];
  algorithm
    for i in 1:n loop
      for j in 1:n loop
        t[i, j] := i*n + j;
      end for;
    end for;
  end numbered;
end ParameterTable;
