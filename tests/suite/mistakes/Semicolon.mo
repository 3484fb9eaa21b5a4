// compile:
// A forgotten semicolon. What: named; where: the end of the line; way out: end the line with `;`.
model Semicolon
  Real x //~ error[missing-semicolon] expected `;`
  Real y;
equation
  x = 1;
  y = 2;
end Semicolon;
