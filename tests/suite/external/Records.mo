// run: stop=1 model=Records.M external=c ; check: given(1)=12±1e-12 ; check: made.n(1)=3 ; check: made.part.x(1)=2.5±1e-12 ; check: made.part.k(1)=7 ; check: made.y(1)=1±1e-12 ; check: returned.x(1)=4±1e-12 ; check: returned.k(1)=-1 ; check: all(1)=9±1e-12
package Records "Records are structures of C, passed by reference or returned (MLS 12.9.1.3)"
  record Inner
    Integer k;
    Real x;
  end Inner;
  record Outer
    Integer n;
    Inner part;
    Boolean b;
    Real y;
  end Outer;
  function given
    input Outer r;
    input Real x;
    output Real y;
    external "C" y = given(r, x) annotation(Include = "#include \"records.h\"");
  end given;
  function make
    input Real x;
    output Outer r;
  protected
    Integer dummy = 0;
    external "C" make(x, r) annotation(Include = "#include \"records.h\"");
  end make;
  function returned
    input Real x;
    output Inner r;
    external "C" r = returned(x) annotation(Include = "#include \"records.h\"");
  end returned;
  function all
    input Inner list[:];
    output Real y;
    external "C" y = all(list, size(list, 1)) annotation(Include = "#include \"records.h\"");
  end all;
  model M
    Real given = Records.given(Outer(2, Inner(3, 4), true, 5), -2*time);
    Outer made = make(time);
    Inner returned = Records.returned(4*time);
    Real all = Records.all({Inner(1, 2), Inner(2, 4*time)});
  end M;
end Records;
