// run: stop=1 ; check: a(1)=3±1e-12 ; check: v(1)=0±1e-12
// compile: ; print: flat
model GivenDerivative "A function whose value is zero may have a derivative that an annotation gives (MLS 12.7.1)"
  function position
    input Real u[3];
    input Real t;
    output Real q;
  algorithm
    q := u[1];
    annotation(derivative(noDerivative = u) = speed, InlineAfterIndexReduction = true);
  end position;
  function speed
    input Real u[3];
    input Real t;
    input Real t_der;
    output Real q;
  algorithm
    q := u[2];
    annotation(derivative(noDerivative = u, order = 2) = acceleration, InlineAfterIndexReduction = true);
  end speed;
  function acceleration
    input Real u[3];
    input Real t;
    input Real t_der;
    input Real t_der2;
    output Real q;
  algorithm
    q := u[3];
  end acceleration;
  Real u[3] = {0, 0, 3};
  Real q, v, a;
equation
  q = position(u, time);
  v = der(q);
  a = der(v);
end GivenDerivative;
