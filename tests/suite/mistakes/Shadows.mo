// compile: model=Shadows.All
// Elements that a rule keeps out of sight or out of change, each of which was passed over once.
package Shadows
  partial package Half
    constant Real x = 45.2;
  end Half;
  model Look
    Real y = Half.x; //~ error[partial-class] element of the partial package
  end Look;
  model Finals
    type Angle = Real(final unit = "rad");
    Angle a(unit = "deg") = 10; //~ error[final-modified]
  end Finals;
  model Outer
    model Small
      Real i = 1;
    end Small;
    model Large
      extends Small;
      Real a = 2;
    end Large;
    model Reader
      outer Small s;
      Real x = s.a; //~ error[unknown-member] no element `a`
    end Reader;
    inner Large s;
    Reader r;
  end Outer;
  model Widened
    model A
      Real x = 1;
    end A;
    model B
      extends A;
      Real y = 2;
    end B;
    replaceable model C = A constrainedby B; //~ error[not-a-subtype]
    C c;
  end Widened;
  model Spread
    encapsulated model A
      model B
        Real x = 1;
      end B;
    end A;
    import Shadows.Spread.A.*; //~ error[import-from-non-package]
    B b;
  end Spread;
  model All
    Look look;
    Finals finals;
    Outer outside;
    Widened widened;
    Spread spread;
  end All;
end Shadows;
