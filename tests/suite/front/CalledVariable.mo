// compile: model=CalledVariable.M
package CalledVariable "A variable hides the function of its name (MLS 5.3.1); it cannot be called"
  function twice
    input Real x;
    output Real y;
  algorithm
    y := 2*x;
  end twice;
  record R
    Real x;
  end R;
  model M
    Integer twice = 3;
    R r(x = 1);
    Real y = twice(9*time); //~ error[not-a-function] `twice`
    Real z = r.x(time); //~ error[not-a-function] `r.x`
  end M;
end CalledVariable;
