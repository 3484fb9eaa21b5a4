// run: stop=1 model=ErrorTold.M external=c
package ErrorTold "An error that C code tells ends the run with its words (MLS 12.9.6)"
  function root
    input Real x;
    output Real y;
    external "C" y = root(x) annotation(Include = "#include \"root.h\""); //~ error[function-failed] no root of -
  end root;
  model M
    Real y = root(0.5 - time);
  end M;
end ErrorTold;
