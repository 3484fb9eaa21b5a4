// run: stop=1 tolerance=1e-9 model=ThroughFunctions.Chain ; check: a(end)=-0.8414709848078965±1e-7 ; check: v(end)=0.5403023058681398±1e-7
package ThroughFunctions "Index reduction goes through functions: by their annotation, and through their body without one"
  record Turn
    Real T[2, 2];
    Real w;
  end Turn;

  function turn
    input Real phi;
    input Real w;
    output Turn R;
  algorithm
    R := Turn({{cos(phi), sin(phi)}, {-sin(phi), cos(phi)}}, w);
    annotation(Inline = true);
  end turn;

  function resolve "A vector of the turned frame seen from outside"
    input Turn R;
    input Real v[2];
    output Real u[2];
  algorithm
    u := transpose(R.T)*v;
    annotation(derivative(noDerivative = R) = resolve_der, InlineAfterIndexReduction = true);
  end resolve;

  function resolve_der
    input Turn R;
    input Real v[2];
    input Real v_der[2];
    output Real u_der[2];
  algorithm
    u_der := resolve(R, v_der + R.w*{-v[2], v[1]});
    annotation(Inline = true);
  end resolve_der;

  function scale "Without a derivative annotation, with a loop"
    input Real v[2];
    output Real u[2];
  algorithm
    for i in 1:2 loop
      u[i] := 2*v[i];
    end for;
  end scale;

  model Chain "A point on a disc that turns with speed one"
    Turn R;
    Real r[2], s[2], v, a;
    Real phi(start = 0, fixed = true), w(start = 1, fixed = true);
  equation
    R = turn(phi, w);
    der(phi) = w;
    der(w) = 0;
    r = resolve(R, {0.5, 0});
    s = scale(r);
    v = der(s[2]);
    a = der(v);
  end Chain;
end ThroughFunctions;
