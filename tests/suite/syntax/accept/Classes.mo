within Kairos.Tests;
encapsulated package Classes "All ways to write a class"
  import SI = Kairos.Units;
  import Kairos.Math.*;
  import Kairos.Math.{sin, cos};
  import Kairos.Constants.pi "circle" annotation(Evaluate = true);

  class Empty
  end Empty;

  partial model Base "first" + " and second"
    extends Empty;
    extends .Kairos.Icon(final color = 3, redeclare replaceable model M = Empty constrainedby Empty)
      annotation(Dialog(tab = "Icon"));
  end Base;

  model Derived
    extends Base(each x(start = 1), y = break, z.start = 2);
    replaceable model Inner = Base(p = 1) "inner" annotation(choicesAllMatching) constrainedby Empty(q = 2)
      "any" annotation(Evaluate = true);
    redeclare final inner outer replaceable Base base if flag "kept";
    redeclare model extends Redeclared(x = 1) "extended"
    end Redeclared;
  end Derived;

  operator record Complex
    Real re;
    Real im;
    encapsulated operator 'constructor'
      function fromReal
        input Real re;
        input Real im = 0;
        output Complex result(re = re, im = im);
      algorithm
      end fromReal;
    end 'constructor';
    encapsulated operator function '*'
      input Complex a;
    end '*';
    operator '+'
    end '+';
  end Complex;

  type Angle = Real(final quantity = "Angle", final unit = "rad");
  type Vector = Real[3];
  type State = enumeration(off "is off", on annotation(Icon), 'in between');
  type Open = enumeration(:) "later";
  connector In = input Real "signal";
  connector Pin
    Real v;
    flow Real i;
    stream Real h;
  end Pin;
  expandable connector Bus
  end Bus;
  block B
  end B;
  pure function f = g(a = 1);
  impure function noise
    output Real y;
    external "C" y = draw(1, "x") annotation(Library = "noise");
    annotation(Documentation(info = "none"));
  end noise;
  function dg = der(g, x, y) "partial derivatives";
  function h
    input Real u[:, size(u, 1)];
    external;
  end h;
end Classes;
