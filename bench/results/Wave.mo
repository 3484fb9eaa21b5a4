model Wave "As little to compute as possible beside what is written"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end Wave;
