within Kairos // error[missing-semicolon]
package Declarations
  Real x // error[missing-semicolon]
  Real y;
  Real 3; // error[unexpected-token]
  Real model; // error[unexpected-token]
  final redeclare Real z; // error[misplaced-prefix]
  input flow Real w; // error[misplaced-prefix]
  parameter constant Real v; // error[misplaced-prefix]
  partial encapsulated model A // error[misplaced-prefix]
  end A;
  Real u := 1; // error[assignment-in-declaration]
  import .Kairos.Math; // error[unexpected-token]
  import Kairos.; // error[unexpected-token]
  model B(x = 1) // error[unexpected-token]
  end B;
  type T = enumeration(a, 1); // error[unexpected-token]
  Real q constrainedby Real; // error[unexpected-token]
  Base base(break x); // error[misplaced-break]
  Base base(final each x = 1); // error[misplaced-prefix]
  extends; // error[unexpected-token]
  pure model M // error[unexpected-token]
  Real good;
  end if; // error[unexpected-token]
  Real better;
end Declarations;
stray tokens // error[unexpected-token]
model After
end After;
