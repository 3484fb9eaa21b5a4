// run: model=FieldsByName.M stop=1 ; check: y(1)=2.5±1e-12 ; check: z(1)=2.5±1e-12 ; check: u(1)=5±1e-12 ; check: s.a(1)=10±0 ; check: s.b(1)=4±0
// compile: model=FieldsByName.M ; print: flat
package FieldsByName "Records fit by the names of their fields, whatever their order (MLS 6.4)"
  record Numbers
    Real a, b;
  end Numbers;
  record Turned
    Real b, a;
  end Turned;
  record Base
    Real b;
  end Base;
  record More
    extends Base;
    Real c;
    Real a;
  end More;
  function ratio
    input Numbers n;
    output Real y;
  algorithm
    y := n.a/n.b;
    annotation(Inline = false);
  end ratio;
  function sum_of
    input Numbers n[:];
    output Real y;
  algorithm
    y := sum(n[i].a/n[i].b for i in 1:size(n, 1));
    annotation(Inline = false);
  end sum_of;
  function through
    input Turned t;
    output Real y;
  protected
    Numbers n = t;
  algorithm
    y := n.a/n.b;
    annotation(Inline = false);
  end through;
  model M
    Turned t(a = 10*time, b = 4*time);
    More m(a = 10*time, b = 4*time, c = 7);
    Real y = if time > 0 then ratio(t) else 2.5;
    Real z = if time > 0 then through(t) else 2.5;
    Real u = if time > 0 then sum_of({Numbers(a = 10*time, b = 4*time), Numbers(a = 5, b = 2)}) else 5;
    Numbers s;
  equation
    s = Turned(b = 4, a = 10);
  end M;
end FieldsByName;
