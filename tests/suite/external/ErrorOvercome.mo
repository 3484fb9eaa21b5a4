// run: stop=1 model=ErrorOvercome.M external=c ; check: x(end)=1±1e-9
package ErrorOvercome "A step that C code refuses is tried again (MLS 12.9.6)"
  function once
    input Real t;
    output Real y;
    external "C" y = once(t) annotation(Include = "
      double once(double t)
      { static int first = 1; if (first && t > 0.5) { first = 0; ModelicaError(\"only once\"); } return 1; }");
  end once;
  model M
    Real x(start = 0, fixed = true);
  equation
    der(x) = once(time);
  end M;
end ErrorOvercome;
