// run: stop=1 model=CodeWrong.M external=c
package CodeWrong "C code that the compiler refuses"
  function wrong
    input Real x;
    output Real y;
    external "C" y = wrong(x) annotation(Include = "double wrong(double x) { return x + ; }"); //~ error[function-failed] `CodeWrong.wrong` (`wrong`) cannot be compiled
  end wrong;
  model M
    Real y = wrong(time);
  end M;
end CodeWrong;
