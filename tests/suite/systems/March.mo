// run: stop=1 ; check: v[60](1)=2±1e-9 ; check: u[60](1)=2±1e-9 ; check: w[7](1)=2±1e-9 ; check: y[60](0.502)=1.502±1e-9 ; check: w[7](0.2)=1.2±1e-6 ; check: w[7](0.3)=1.3±1e-6
model March "Chains that can be eliminated one by one at first, until what that does to round-off grows beyond all bounds"
  parameter Integer n = 60, few = 7;
  Real s = 1 + time "The solution everywhere, since the sources make up for what is lost on the way";
  Real v[n] "Linear: from one to the next round-off grows by two where k is one half";
  Real u[n](each start = 1) "Nonlinear";
  Real w[few](each start = 1) "Few, each with a large factor";
  Real y[n] "Linear, with a matrix that changes at once";
  Real k = time/2;
  Real switched = if time > 0.5 then 0.5 else 0;
  Real large = 400*time;
equation
  for i in 1:n loop
    (2 + k)*v[i] = (if i > 1 then v[max(i - 1, 1)] else s) + (if i < n then v[min(i + 1, n)] else s) + k*s;
    (2 + k)*u[i] + (u[i] - s)^3 = (if i > 1 then u[max(i - 1, 1)] else s) + (if i < n then u[min(i + 1, n)] else s) + k*s;
    (2 + switched)*y[i] = (if i > 1 then y[max(i - 1, 1)] else s) + (if i < n then y[min(i + 1, n)] else s) + switched*s;
  end for;
  for i in 1:few loop
    (2 + large)*w[i] + (w[i] - s)^3 = (if i > 1 then w[max(i - 1, 1)] else s) + (if i < few then w[min(i + 1, few)] else s) + large*s;
  end for;
end March;
