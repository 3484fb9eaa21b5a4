// run: stop=2
model CalledForEffect "A function without results is called for what it does, here in another function"
  function limit
    input Real x;
  algorithm
    assert(x < 1.5, "x is too large"); //~ error[function-failed] x is too large
  end limit;
  function checked
    input Real x;
    output Real y;
  algorithm
    limit(x);
    y := x;
  end checked;
  Real y = checked(time);
end CalledForEffect;
