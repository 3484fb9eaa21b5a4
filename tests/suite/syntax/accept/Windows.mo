within;
model Windows "CRLF and BOM"
  Real x; // trailing


  Real y "two
lines";
equation
  x = y;
end Windows;
