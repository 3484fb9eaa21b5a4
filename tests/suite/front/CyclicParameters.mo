// compile
model CyclicParameters
  parameter Integer n = m + 1;
  parameter Integer m = n - 1;
  Real x[n] = zeros(n); //~ error[evaluation-failed] depends on itself
end CyclicParameters;
