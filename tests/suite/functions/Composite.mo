// run: stop=2 ; check: r(2)=13±1e-12 ; check: det(2)=-2±1e-12 ; check: p[1](2)=-8±1e-12 ; check: p[2](2)=4±1e-12 ; check: i(2)=9±1e-6
// compile: ; print: flat
model Composite "Records, matrices and several results of one call"
  record Body
    Real mass;
    Real place[3];
    String name = "body";
  end Body;
  function move
    input Body b;
    input Real by[3];
    output Body moved = b;
  algorithm
    moved.place := b.place + by;
    moved.mass := 2*moved.mass;
  end move;
  function describe
    input Real a[:, size(a, 1)];
    output Real determinant;
    output Real square[size(a, 1), size(a, 2)];
  protected
    Integer n = size(a, 1);
  algorithm
    assert(n == 2, "only two by two");
    determinant := a[1, 1]*a[2, 2] - a[1, 2]*a[2, 1];
    square := a*a;
  end describe;
  Body b = move(Body(1, {0, 0, 0}, "b"), time*{1, 2, 3});
  Real det;
  Real square[2, 2];
  Real r = b.mass + b.place[2] + square[1, 1];
  Real p[3] = cross(b.place, {1, 2, 3 - time});
  Real i(start = 1, fixed = true);
equation
  (det, square) = describe([1, time; 3, 2*time]);
  der(i) = (move(Body(time, {0, 0, 0}, "i"), zeros(3))).mass*2;
end Composite;
