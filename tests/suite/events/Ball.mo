// run: stop=2 tolerance=1e-9 ; check: h(0.6)=0.3522358564±1e-8 ; check: n(2)=4 ; effort: restarts=5
// compile: ; print: causal
model Ball "One restart for the start and one for each bounce"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
    n = pre(n) + 1;
  end when;
end Ball;
