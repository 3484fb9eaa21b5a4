// run: model=RenamedImports.M stop=2 ; check: a(2)=6.283185307179586±1e-12 ; check: b(2)=6.283185307179586±1e-12 ; check: c(2)=12.566370614359172±1e-12 ; check: d(2)=7±0
package RenamedImports "An imported constant has the name that the import gives it (MLS 13.2.1)"
  package Constants
    constant Real pi = 3.141592653589793;
    constant Real list[3] = {5, 7, 9};
  end Constants;
  import PI = RenamedImports.Constants.pi;
  function circle
    input Real r;
    output Real y;
  protected
    Real turn = 2*PI;
  algorithm
    y := turn*r;
  end circle;
  package Inner
    function half
      import HALF_TURN = RenamedImports.Constants.pi;
      input Real r;
      output Real y;
    algorithm
      y := HALF_TURN*r;
    end half;
  end Inner;
  model M
    import L = RenamedImports.Constants.list;
    Real a = PI*time;
    Real b = Inner.half(time);
    Real c = circle(time);
    Real d = L[2];
  end M;
end RenamedImports;
