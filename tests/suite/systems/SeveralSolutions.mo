// run: stop=1 tolerance=1e-9 ; check: b(0.25)=1.5119086781201772±1e-6 ; check: b(0.75)=-1.5119086781201772±1e-6 ; check: p(end)=0±1e-6
model SeveralSolutions "Past its event the branch in force has other solutions, which must not be taken for those before it"
  Real p(start = 0, fixed = true) "Driven";
  Real b, m, n;
equation
  der(p) = 6.283185307179586*20*cos(6.283185307179586*time);
  n = abs(b/1.16);
  m = 1 + (1209 + 24630*n)/(1 + 2.44*n + n^14);
  1200*(p - b) = b*(1.04e3*208/m*50 + 80);
end SeveralSolutions;
