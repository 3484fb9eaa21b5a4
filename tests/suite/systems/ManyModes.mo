// run: stop=2 tolerance=1e-9 ; check: e(end)=0±1e-22 ; check: w(end)=10±1e-11
// compile: ; print: causal
model ManyModes "A linear system whose matrix takes more values than are kept, each of them again and again"
  Integer k(start = 1, fixed = true);
  Real w, x, y, z;
  Real e(start = 0, fixed = true) "what the solution is off, squared and in all";
equation
  when sample(0.01, 0.01) then
    k = mod(7*pre(k) + 3, 40) + 1;
  end when;
  (k + 4)*w + x + y + z = (k + 4)*5*time + 6*time;
  w + (k + 3)*x + y + z = (k + 3)*time + 10*time;
  w + x + (k + 2)*y + z = (k + 2)*2*time + 9*time;
  w + x + y - (k + 5)*z = -(k + 5)*3*time + 8*time;
  der(e) = (w - 5*time)^2 + (x - time)^2 + (y - 2*time)^2 + (z - 3*time)^2;
end ManyModes;
