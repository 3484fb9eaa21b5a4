model Sections
  Real x;
  annotation(Icon()); // warning[annotation-not-last]
equation
  x := 1; // error[assignment-in-equation]
  x == 1; // error[comparison-as-equation]
  x; // error[no-effect]
  Real y; // error[misplaced-element]
  x + 1 2; // error[unexpected-token]
  connect(x, 3); // error[unexpected-token]
  x = 1 // error[missing-semicolon]
  x = 2;
  if x > 1 then
    x = 3 // error[missing-semicolon]
  end for; // error[unclosed-block]
  x = 4;
  parameter Real z; // error[misplaced-element]
algorithm
  x = 1; // error[equation-in-algorithm]
  (x, x) := 3; // error[tuple-without-call]
  x; // error[no-effect]
  x + 1; // error[unexpected-token]
  {x} := 3; // error[unexpected-token]
  while x loop
    x := 1;
  end if; // error[unclosed-block]
  Real q; // error[misplaced-element]
  for 3 in x loop // error[unexpected-token]
  x := 2;
end Sections;
