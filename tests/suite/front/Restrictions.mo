// compile
model Restrictions "What declarations must respect"
  model Part
    Real v = 1;
  end Part;
  function f
    input Real u;
    output Real y;
  algorithm
    u := 1; //~ error[input-assigned] `u`
    y := u;
  end f;
  type Level = enumeration(low, max); //~ error[reserved-name] attribute
  parameter Part part; //~ error[prefix-on-model] `Restrictions.Part`
  constant Real c; //~ error[constant-without-value] `c`
  discrete Real d = 2; //~ error[discrete-binding] only in `when`
  Real x = f(time);
  Real z;
  Level level = Level.low;
algorithm
  z := 1;
  break; //~ error[break-outside-loop] none around
  return; //~ error[return-outside-function] this is none
end Restrictions;
