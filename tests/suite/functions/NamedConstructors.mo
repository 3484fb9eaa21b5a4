// run: stop=1 model=NamedConstructors.Run ; check: y(1)=9±1e-12 ; check: z(1)=2±1e-12 ; check: w(1)=21±1e-12 ; check: v(1)=6±1e-12
package NamedConstructors "Named arguments take part in the choice of a constructor (MLS 14.3)"
  operator record D
    Real a[2];
    Boolean s;
    Real d;
    encapsulated operator 'constructor'
      import NamedConstructors.D;
      function fromData
        input Real a[2];
        input Boolean s = false;
        input Real d = 0;
        output D result(a = a, s = s, d = d);
      algorithm
        annotation (Inline = true);
      end fromData;
      function fromParts
        input Real m = 1;
        input Real z = 0;
        input Boolean s = false;
        input Real d = 0;
        output D result(a = {m, z}, s = s, d = d);
      algorithm
        annotation (Inline = true);
      end fromParts;
      function fromText "A constructor that names its record by its components"
        input String text;
        output D result;
      algorithm
        result := D(a = {1, 2}, s = true, d = 3);
      end fromText;
    end 'constructor';
  end D;
  constant D x = D(m = 3, d = 4);
  constant D y = D(a = {1, 2});
  model Run
    parameter D p = x;
    parameter Real m = 20;
    parameter D q = D(m = m, z = 1);
    parameter D t = D(text = "abc");
    Real y = x.d + NamedConstructors.y.a[2] + p.a[1];
    Real z = if x.s then 1 else 2;
    Real w = q.a[1] + q.a[2];
    Real v = sum(t.a) + t.d;
  end Run;
end NamedConstructors;
