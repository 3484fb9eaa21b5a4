// run: stop=1 ; check: x[1](1)=2±1e-9 ; check: x[30](1)=31±1e-9 ; check: x[60](1)=61±1e-9
// compile: ; print: causal
model Chain "A chain of springs whose solution is i + time: to go along it element by element multiplies round-off by 2.6 at each"
  parameter Integer n = 60;
  Real x[n];
equation
  3*x[1] = time + x[2] + (1 + time);
  for i in 2:n - 1 loop
    3*x[i] = x[i - 1] + x[i + 1] + (i + time);
  end for;
  3*x[n] = x[n - 1] + (n + 1 + time) + (n + time);
end Chain;
