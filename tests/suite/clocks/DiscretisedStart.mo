// run: stop=1 ; check: held(0.05)=6±1e-13 ; check: held(0.15)=6±1e-13 ; check: held(0.25)=6.02±1e-13 ; check: pair(0.05)=3±1e-13
// compile: ; print: flat
model DiscretisedStart "Initial equations of a discretised partition hold at its first tick"
  // der(x) = 2*u - x vanishes for x = 2*3; Euler then gives 6 and 6 + 0.1*(2*3.1 - 6).
  Real x, y(start = 1), z(start = 3, fixed = true), u = 3 + time, held, pair;
  Clock c = Clock(Clock(1, 10), solverMethod = "ExplicitEuler");
initial equation
  der(x) = 0;
equation
  der(x) = 2*sample(u, c) - x;
  // A fixed start value of a variable that is no state: y = 2 + 1 at the first tick.
  der(y) = -y*sample(1.0, c);
  z = y^2 - 6;
  held = hold(x);
  pair = hold(y);
end DiscretisedStart;
