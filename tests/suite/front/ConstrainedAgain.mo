// run: stop=1 ; check: t3.y(1)=37 ; check: t4.y(1)=57 ; check: t5.y(1)=39 ; check: c3.y(1)=31 ; check: m.y(1)=6 ; check: k.y(1)=37
model ConstrainedAgain "A redeclaration adds its constraining clause to that of the declaration it replaces (MLS 7.3.2)"
  model Valve
    parameter Real a = 1, l = 1;
    Real y = 10*a + l;
  end Valve;
  model Linear
    extends Valve;
  end Linear;
  model Three
    replaceable Valve part constrainedby Valve(a = 3);
    Real y = part.y;
  end Three;
  model Two
    extends Three(redeclare replaceable Valve part constrainedby Valve(l = 7));
  end Two;
  // a = 3 of the first clause and l = 7 of the second.
  model T3
    extends Two(redeclare Linear part);
  end T3;
  // A later clause outweighs an earlier one.
  model T4
    extends Three(redeclare replaceable Valve part constrainedby Valve(a = 5, l = 7));
  end T4;
  model T5
    extends Two(redeclare Linear part(l = 9));
  end T5;
  // The same for classes.
  model Classes
    replaceable model Part = Valve constrainedby Valve(a = 3);
    Part part;
    Real y = part.y;
  end Classes;
  model C3
    extends Classes(redeclare replaceable model Part = Valve constrainedby Valve);
  end C3;
  // A package handed on by the first clause is there after a second one.
  partial package PartialMedium
    replaceable partial function f
      input Real x;
      output Real y;
    end f;
  end PartialMedium;
  package Water
    extends PartialMedium;
    redeclare function extends f
    algorithm
      y := 2*x;
    end f;
  end Water;
  partial model Port
    replaceable package Medium = PartialMedium;
    parameter Real a;
    Real y;
  end Port;
  partial model Flow
    extends Port;
    parameter Real l = 1;
  equation
    y = Medium.f(a);
  end Flow;
  model LinearFlow
    extends Flow;
  end LinearFlow;
  partial model Holder
    replaceable package Medium = PartialMedium;
    replaceable Port part constrainedby Port(redeclare final package Medium = Medium, a = 3);
    Real y = part.y;
  end Holder;
  partial model FlowHolder
    extends Holder(redeclare replaceable Flow part constrainedby Flow(l = 7));
  end FlowHolder;
  model LinearHolder
    extends FlowHolder(redeclare LinearFlow part);
  end LinearHolder;
  // Without a clause the modifiers of the first declaration count, also below a clause that comes later.
  model Kept
    replaceable Valve part(a = 3);
    Real y = part.y;
  end Kept;
  model KeptAgain
    extends Kept(redeclare replaceable Linear part constrainedby Linear(l = 7));
  end KeptAgain;
  T3 t3;
  T4 t4;
  T5 t5;
  C3 c3;
  LinearHolder m(redeclare package Medium = Water);
  KeptAgain k;
end ConstrainedAgain;
