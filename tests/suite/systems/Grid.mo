// run: stop=1 ; check: u[2,3](1)=9±1e-9 ; check: u[12,12](1)=37±1e-9 ; check: v[7,5](1)=18±1e-8 ; check: v[1,12](1)=26±1e-8
model Grid "Nets whose solution is i + 2 j + time, which is its own mean over the four neighbours: large sparse systems"
  parameter Integer n = 12;
  Real u[n, n] "Linear";
  Real v[n, n](each start = 10) "Nonlinear";
  function given
    input Integer i, j;
    input Real time0;
    output Real y = i + 2*j + time0;
  algorithm
  end given;
equation
  for i in 1:n loop
    for j in 1:n loop
      4*u[i, j] = (if i > 1 then u[max(i - 1, 1), j] else given(0, j, time)) + (if i < n then u[min(i + 1, n), j] else
        given(n + 1, j, time)) + (if j > 1 then u[i, max(j - 1, 1)] else given(i, 0, time)) + (if j < n then
        u[i, min(j + 1, n)] else given(i, n + 1, time));
      4*v[i, j] + v[i, j]^3/1000 = (if i > 1 then v[max(i - 1, 1), j] else given(0, j, time)) + (if i < n then
        v[min(i + 1, n), j] else given(n + 1, j, time)) + (if j > 1 then v[i, max(j - 1, 1)] else given(i, 0, time)) +
        (if j < n then v[i, min(j + 1, n)] else given(i, n + 1, time)) + given(i, j, time)^3/1000;
    end for;
  end for;
end Grid;
