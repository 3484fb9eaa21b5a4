// run: stop=1 ; check: x(end)=2±1e-9 ; check: y(end)=1±1e-9
model VanishingSquares "At the start of the search no direction is known: all products vanish there"
  Real x, y;
equation
  x^2 - y^2 = 3;
  x*y = 2;
end VanishingSquares;
