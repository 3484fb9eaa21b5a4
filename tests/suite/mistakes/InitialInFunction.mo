// compile:
// An operator of models in a function. What, where and way out are told.
model InitialInFunction
  function f
    input Real u;
    output Real y;
  algorithm
    y := if initial() then 0 else u; //~ error[operator-in-function] `initial` cannot be used in a function
  end f;
  function g
    input Real u;
    output Real y;
  algorithm
    y := pre(u); //~ error[operator-in-function] `pre` cannot be used in a function
  end g;
  Real x = f(time) + g(time);
end InitialInFunction;
