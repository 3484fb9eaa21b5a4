// run: stop=1 ; check: y1(1)=3 ; check: y2(1)=3 ; check: t3.y(1)=3 ; check: y4(1)=3 ; check: y5(1)=12 ; check: y6(1)=2 ; check: y7(1)=5 ; check: t8.y(1)=4 ; check: y9(1)=32
model RedeclaredValues "What an outer redeclaration says outweighs an inner modifier (MLS 7.2.2, 7.3)"
  record R0
    parameter Real a = 0, b = 0;
  end R0;
  record R1
    extends R0;
  end R1;
  record R2
    extends R0;
  end R2;
  model Base
    replaceable parameter R1 c constrainedby R0;
    Real y = c.a + 10*c.b;
  end Base;
  model Line
    extends Base(c = R1(a = 2));
  end Line;
  model T3
    extends Line(redeclare R2 c = R2(a = 3));
  end T3;
  model Number
    replaceable parameter Real c = 1;
    Real y = c;
  end Number;
  model Two
    extends Number(c = 2);
  end Two;
  // What the inner modifier says of other parts stays.
  model Parts
    extends Base(c(b = 1, a = 7));
  end Parts;
  model T8 "A redeclaration in the body outweighs the modifiers of the extends-clause"
    extends Number(c = 2);
    redeclare parameter Real c = 4;
  end T8;
  model Valve
    parameter Real a = 1;
    Real y = a;
  end Valve;
  model Classes
    replaceable model Part = Valve;
    Part part;
    Real y = part.y;
  end Classes;
  Line l1(redeclare R2 c = R2(a = 3)), l2(c = R1(a = 3));
  T3 t3;
  Two l4(redeclare parameter Real c = 3), l6(redeclare parameter Real c);
  Parts l5(redeclare R2 c(a = 2));
  Classes l7(redeclare model Part = Valve(a = 5));
  T8 t8;
  Line l9[2](redeclare each R2 c = R2(a = 2, b = 3));
  Real y1 = l1.y, y2 = l2.y, y4 = l4.y, y5 = l5.y, y6 = l6.y, y7 = l7.y, y9 = l9[2].y;
end RedeclaredValues;
