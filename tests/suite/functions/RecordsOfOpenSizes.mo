// run: stop=1 ; check: az(1)=5 ; check: bz(1)=4 ; check: y[2](1)=4 ; check: v[3](1)=6 ; check: r13(1)=4 ; check: r2.e[3](1)=2 ; check: r3.e[2](1)=3 ; check: n(1)=3 ; check: pq2(1)=40 ; check: g2.x[2](1)=14
model RecordsOfOpenSizes "Functions of records whose arrays are sized by other members or by a modification of the output (MLS 10.1, 12.2, 12.4)"
  record Curve
    parameter Real v[:];
    parameter Real p[size(v, 1)];
  end Curve;
  function first
    input Curve c;
    output Real y;
  algorithm
    y := c.v[1] + c.p[1];
  end first;
  record Data
    parameter Curve power(v = {1}, p = {4});
    parameter Real z = first(power);
  end Data;
  record Sized
    parameter Integer n(min = 1);
    Real x[n];
  end Sized;
  function double
    input Sized s;
    output Real y[size(s.x, 1)];
  algorithm
    y := 2*s.x;
  end double;
  function bySize
    input Sized s;
    output Real y[s.n];
  algorithm
    y := 2*s.x;
  end bySize;
  record Result
    Real y[:];
    Real e[:];
  end Result;
  function given
    input Real p;
    output Result r(y = {0, 1, 2}, e = zeros(3));
  algorithm
    r.e := p*r.y;
  end given;
  function like "sizes from the argument"
    input Real u[:];
    output Result r(y = u, e = zeros(size(u, 1)));
  algorithm
    r.e := 3*u;
  end like;
  record Outer
    parameter Curve c;
    parameter Real q[size(c.v, 1)] = 10*c.p;
  end Outer;
  function moved
    input Sized s;
    input Real by;
    output Sized t(n = s.n, x = s.x);
  algorithm
    for i in 1:s.n loop
      t.x[i] := s.x[i] + by;
    end for;
  end moved;
  parameter Data a, b(power(v = {1, 2}, p = {3, 4}));
  parameter Sized two(n = 2, x = {1, 2}), three(n = 3, x = {1, 2, 3});
  Real y[2] = double(two);
  Real v[three.n] = bySize(three);
  parameter Real q = 2;
  parameter Result r1 = given(q);
  Result r2 = given(time);
  Result r3 = like({0, time});
  Integer n = size(r2.y, 1);
  Real az = a.z, bz = b.z, r13 = r1.e[3], pq2 = p.q[2];
  parameter Outer p(c(v = {1, 2}, p = {3, 4}));
  Sized g2 = moved(two, 12);
equation
  assert(abs(first(Curve(v = {1}, p = {2})) - 3) < 1e-12, "a record made by its constructor");
end RecordsOfOpenSizes;
