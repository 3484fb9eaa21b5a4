// run: stop=3 tolerance=1e-9 ; check: y(3)=0±3e-6 ; check: z(3)=3±3e-6
model TouchesZero "What holds at one instant only is left where it is left, not where it is believed to be left"
  Real y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(y) = if -(time - 1)^2 >= 0 then 1 else 0;
  der(z) = if (time - 2)^2 > 0 then 1 else 0;
end TouchesZero;
