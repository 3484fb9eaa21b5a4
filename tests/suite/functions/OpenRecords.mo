// run: stop=1 ; check: x[1](1)=3±1e-9 ; check: x[2](1)=7±1e-9 ; check: y[1](1)=0.4±1e-9 ; check: y[2](1)=0.9±1e-9 ; check: z(1)=6±1e-9 ; check: n(1)=2±0
// compile: ; print: flat
model OpenRecords "Records whose fields have open sizes: a constructor, a default that speaks of another field, calls that give records"
  record System
    Real A[:, size(A, 1)];
    Real B[size(A, 1), :] = fill(1, size(A, 1), 1);
    String names[size(A, 1)] = fill("", size(A, 1));
  end System;
  function scaled "Its output is declared with the sizes of the input"
    input System s;
    input Real h;
    output System d(redeclare Real A[size(s.A, 1), size(s.A, 2)], redeclare Real B[size(s.B, 1), size(s.B, 2)]);
  algorithm
    d.A := h*s.A;
    d.B := h*s.B;
  end scaled;
  function diagonalSystem "Only the body knows the sizes"
    input Integer n;
    output System s;
  algorithm
    s.A := 3*identity(n);
    s.B := fill(3, n, 1);
    s.names := fill("x", n);
  end diagonalSystem;
  block Block
    parameter System s;
    final parameter System d = scaled(s, 0.1);
    Real y[size(s.A, 1)] = d.A*fill(time, size(s.A, 1)) + d.B*{time};
  end Block;
  parameter System s = System(A = [1, 2; 3, 4]);
  parameter System t = diagonalSystem(2);
  Block b(s = System(A = [1, 2; 3, 4], B = [1; 2]));
  Real x[2] = s.A*{time, 1};
  Real y[2] = b.y;
  Real z = t.A[2, 2]*time + t.B[1, 1];
  Integer n = size(s.names, 1);
end OpenRecords;
