// run: stop=1 model=RecordSizes.RecordSizes ; check: given(1)=6±1e-12 ; check: made(1)=14±1e-12 ; check: open(1)=10±1e-12 ; check: local(1)=6±1e-12 ; check: bound(1)=5±1e-12 ; check: empty(1)=15±1e-12 ; check: nested(1)=346±1e-12 ; check: taken.x[3](1)=2±1e-12 ; check: circle.x[1](1)=0.8351646544245033±1e-9
package RecordSizes "Functions take records of any size, and have records of their own whose declarations say the size"
  record R
    parameter Integer n = 2;
    Real x[n];
  end R;
  record Open
    Real x[:];
  end Open;
  record Nest
    R a;
    R b(n = 1);
    Real y[a.n];
  end Nest;

  function total
    input R r;
    output Real s = 0;
  algorithm
    for i in 1:size(r.x, 1) loop
      s := s + r.x[i];
    end for;
  end total;
  function squares
    input R r;
    output Real s = 0;
  algorithm
    for i in 1:r.n loop
      s := s + r.x[i]^2;
    end for;
  end squares;
  function openTotal
    input Open r;
    output Real s = sum(r.x);
  algorithm
  end openTotal;
  function nestTotal
    input Nest r;
    output Real s = sum(r.a.x) + 10*sum(r.b.x) + 100*sum(r.y);
  algorithm
  end nestTotal;
  function make
    input Integer n;
    output R r(n = n, x = fill(2.0, n));
  algorithm
  end make;
  function localTotal "1 + 2 + 3"
    input Real a;
    output Real s = 0;
  protected
    R r(n = 3, x = {a, 2*a, 3*a});
  algorithm
    for i in 1:size(r.x, 1) loop
      s := s + r.x[i];
    end for;
  end localTotal;
  function boundTotal
    input Real a;
    input Integer n;
    output Real s;
  protected
    Open r(x = fill(a, n));
  algorithm
    r.x[1] := r.x[1] + 1;
    s := sum(r.x);
  end boundTotal;
  function emptyTotal "a (1 + ... + n)"
    input Real a;
    input Integer n;
    output Real s;
  protected
    R r(n = n);
  algorithm
    for i in 1:n loop
      r.x[i] := a*i;
    end for;
    s := sum(r.x);
  end emptyTotal;

  model RecordSizes
    R r(n = 3, x = {1, 2, 3});
    Real given = total(r);
    Real made = squares(R(3, {1, 2, 3}));
    Open four = Open({1, 2, 3, 4});
    Real open = openTotal(four);
    Real local = localTotal(time);
    Real bound = boundTotal(time, 4);
    Real empty = emptyTotal(time, 5);
    Nest nest(a(n = 3, x = {1, 2, 3}), b(x = {4}), y = {1, 1, 1});
    Real nested = nestTotal(nest);
    R taken = make(3);
    R circle(n = 3, x(start = {1, 0, 0})) "On the unit circle: x[1] = sqrt(1 - 0.55^2) at the end";
  equation
    squares(circle) = 1;
    der(circle.x[2]) = 0.1*time;
    circle.x[3] = 0;
  initial equation
    circle.x[2] = 0.5;
  end RecordSizes;
end RecordSizes;
