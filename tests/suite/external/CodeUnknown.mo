// run: stop=1 model=CodeUnknown.M external=c
package CodeUnknown "A function without a prototype is not taken for one that gives an integer"
  function unknown
    input Real x;
    output Real y;
    external "C" y = nowhere(x) annotation(Include = "/* nothing */"); //~ error[function-failed] nowhere
  end unknown;
  model M
    Real y = unknown(time);
  end M;
end CodeUnknown;
