// run: stop=1 ; check: T[3](1)=0±1e-9 ; check: D[2](1)=-1±1e-9 ; check: U[1](1)=0±1e-12 ; check: V[1,1](1)=2±1e-9
// compile: ; print: flat
model ExcludedSubscript "A branch that the parameters exclude may have subscripts that do not exist"
  parameter Integer n = 3;
  Real T[n](start = {1, 1, 0}, each fixed = true);
  Real D[n] = {if i == n then 0 else T[i + 1] - T[i] for i in 1:n};
  Real U[n] = {if i > 1 then T[i - 1] else 0 for i in 1:n};
  Real V[n, 2] = {if i == n then 0 elseif j == 1 then T[i + 1] + 1 else T[i] for j in 1:2, i in 1:n};
equation
  der(T[1:n - 1]) = zeros(n - 1);
  der(T[n]) = if n == 3 then 0 else T[n + 1];
end ExcludedSubscript;
