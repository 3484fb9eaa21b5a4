model twisting "The twisting algorithm: switching accumulates at the origin, where it stays"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = -(if x > 0 then 3 else -3) - (if y > 0 then 1 else -1);
end twisting;
