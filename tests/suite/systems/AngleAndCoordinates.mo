// run: stop=10 tolerance=1e-9 model=AngleAndCoordinates.AngleMoves ; check: e(end)=0±1e-4
// run: stop=10 tolerance=1e-9 model=AngleAndCoordinates.AngleOnly ; check: e(end)=0±1e-4
// compile: model=AngleAndCoordinates.AngleMoves ; print: causal
package AngleAndCoordinates "A pendulum whose angle gives both coordinates keeps its energy, whichever of them is differentiated"
  // Neither coordinate can be the state for good: the slope of x vanishes at the sides, that of y at the bottom.
  model AngleMoves "The angular velocity is a variable, the angular acceleration is not"
    Real x, y, vx, vy, force, e;
    Real phi(start = 1.5707963267948966, fixed = true), w(start = 0, fixed = true);
  equation
    x = sin(phi);
    y = -cos(phi);
    w = der(phi);
    vx = der(x);
    vy = der(y);
    der(vx) = -force*x;
    der(vy) = -force*y - 9.81;
    e = 0.5*(vx^2 + vy^2) + 9.81*y;
  end AngleMoves;

  model AngleOnly "The angle is differentiated only because the coordinates are"
    Real x, y, vx, vy, force, e, phi(start = 1);
  initial equation
    phi = 1.5707963267948966;
    vy = 0;
  equation
    x = sin(phi);
    y = -cos(phi);
    vx = der(x);
    vy = der(y);
    der(vx) = -force*x;
    der(vy) = -force*y - 9.81;
    e = 0.5*(vx^2 + vy^2) + 9.81*y;
  end AngleOnly;
end AngleAndCoordinates;
