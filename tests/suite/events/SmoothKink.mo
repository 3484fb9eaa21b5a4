// run: stop=3.141592653589793 tolerance=1e-8 ; check: y(end)=-2±1e-5 ; check: z(end)=1±1e-5 ; effort: state_events=0
model SmoothKink "What is continuous where its branches meet raises no event: semiLinear, and smooth of any order"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real y(start = 0, fixed = true) "sin(time) at first, then 3*sin(time) - 2";
  Real z(start = 0, fixed = true) "sin(time) until its peak";
equation
  der(x) = -v;
  der(v) = x;
  der(y) = semiLinear(x, 1, 3);
  der(z) = smooth(0, if x > 0 then x else 0);
end SmoothKink;
