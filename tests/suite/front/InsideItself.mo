// run: stop=1 model=InsideItself.M ; check: y(1)=3±1e-12
package InsideItself "Inside of a class its own long name leads to its classes, as the simple name does (MLS 5.3.2)"
  model M
    model Part
      parameter Real p = 1;
    end Part;
    InsideItself.M.Part a(p = 3);
    Real y = a.p;
  end M;
end InsideItself;
