// run: stop=1 ; check: a.y(1)=6±1e-9 ; check: b.y(1)=3±1e-9
model Redeclared "Modifiers of the original survive a redeclaration, its condition too"
  partial model Base
    parameter Real k = 1;
    Real y;
  end Base;
  model Once
    extends Base;
  equation
    y = k*time;
  end Once;
  model Twice
    extends Base;
  equation
    y = 2*k*time;
  end Twice;
  model Holder
    replaceable Once part(k = 3) constrainedby Base(k = 3);
    Real y = part.y;
  end Holder;
  Holder a(redeclare Twice part);
  Holder b;
end Redeclared;
