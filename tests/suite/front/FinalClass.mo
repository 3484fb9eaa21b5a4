// run: stop=1 ; check: u.p.y(1)=7±0 ; check: u.p.z(1)=3±0
// compile: ; print: flat
model FinalClass "A final redeclaration of a class forbids another class, not modifiers of its objects (MLS 7.2.6)"
  model Base
    parameter Real a = 1, b = 2;
    Real y = a, z = b;
  end Base;
  model Other
    extends Base(b = 3);
  end Other;
  model User
    replaceable model Kind = Base constrainedby Base;
    Kind p(a = 7);
  end User;
  User u(redeclare final model Kind = Other);
end FinalClass;
