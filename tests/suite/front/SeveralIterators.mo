// run: stop=1 ; check: a12(1)=21 ; check: b12(1)=21 ; check: c12(1)=21 ; check: d123(1)=321 ; check: rows(1)=4 ; check: columns(1)=2 ; check: f12(1)=21 ; check: s(1)=66
model SeveralIterators "`{e for i in a, j in b}` is `{{e for i in a} for j in b}` (MLS 10.4.1.2)"
  function table
    input Integer n;
    output Real y[n, n];
  algorithm
    y := {10*i + j for i in 1:n, j in 1:n};
  end table;
  parameter Integer a[2, 2] = {10*i + j for i in 1:2, j in 1:2};
  parameter Integer b[2, 2] = {{10*i + j for i in 1:2} for j in 1:2};
  parameter Integer c[2, 2] = array(10*i + j for i in 1:2, j in 1:2);
  parameter Integer d[3, 2, 2] = {100*k + 10*i + j for j in 1:2, i in 1:2, k in 1:3};
  // The last iterator is the first dimension, so it may give the range of those before it.
  parameter Real e[:, :] = {i*j for i in {1, 2}, j in 1:4};
  Real f[2, 2] = table(2 + 0*integer(time));
  Integer a12 = a[1, 2], b12 = b[1, 2], c12 = c[1, 2];
  Integer d123 = d[3, 2, 1];
  Integer rows = size(e, 1), columns = size(e, 2);
  Real f12 = f[1, 2];
  // A reduction adds up the same terms in any order: 11 + 12 + 21 + 22.
  Integer s = sum(10*i + j for i in 1:2, j in 1:2);
end SeveralIterators;
