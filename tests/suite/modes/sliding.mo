package sliding
  model TwoSurfaces "held on two switching surfaces that do not act on each other"
    Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), u;
  equation
    u = if x > 0 then -2 else 2;
    der(x) = u + 0.3*sin(time);
    der(y) = (if y > 0 then -1 else 1) + 0.2;
  end TwoSurfaces;

  model Coupled "two switches act on both states; a third integrates what they do together"
    Real x(start = 1, fixed = true), y(start = -1, fixed = true), w(start = 0, fixed = true), u1, u2;
  equation
    u1 = if x > 0 then 1 else -1;
    u2 = if y > 0 then 1 else -1;
    der(x) = -2*u1 + 0.5*u2 + 0.3;
    der(y) = 0.5*u1 - u2 - 0.2;
    der(w) = u1 + 2*u2;
  end Coupled;

  model Product "the switches multiply each other"
    Real x(start = 0.5, fixed = true), y(start = 1, fixed = true), u1, u2;
  equation
    u1 = if x > 0 then 1 else -1;
    u2 = if y > 0 then 1 else -1;
    der(x) = -u1 - 0.5*u1*u2 + 0.2;
    der(y) = -u2 + 0.25*u1;
  end Product;

  model Released "one of two surfaces is left, the other holds on"
    Real x(start = 0.1, fixed = true), y(start = 0.1, fixed = true), u1;
  equation
    u1 = if x > 0 then 1 else -1;
    der(x) = -u1 + 0.3;
    der(y) = -(if y > 0 then 1 else -1) + time;
  end Released;

  model Three "from the first instant on the intersection of three surfaces"
    parameter Real A[3, 3] = {{2, 0.5, 0}, {-0.5, 2, 0.5}, {0, -0.5, 2}};
    Real x[3](each start = 0, each fixed = true), u[3];
  equation
    for k in 1:3 loop
      u[k] = if x[k] > 0 then 1 else -1;
    end for;
    der(x) = {0.5, -0.3, 0.2} - A*u;
  end Three;

  model Oblique "surfaces that are no states: x + y and x - y"
    Real x(start = 1, fixed = true), y(start = 0.2, fixed = true), u1, u2;
  equation
    u1 = if x + y > 1 then 1 else -1;
    u2 = if x - y > 0 then 1 else -1;
    der(x) = -u1 - u2 + 0.2;
    der(y) = -u1 + u2 + 0.4;
  end Oblique;

  model Passing "while one surface holds, another is passed, and time changes the drift"
    Real x(start = 0, fixed = true), y(start = 0, fixed = true), w(start = 0, fixed = true), u;
  equation
    u = if x > 0 then 1 else -1;
    der(x) = -(if y > 1 then 2 else 1)*u + (if time > 1.5 then 0.6 else 0.3);
    der(y) = 1;
    der(w) = u;
  end Passing;
end sliding;
