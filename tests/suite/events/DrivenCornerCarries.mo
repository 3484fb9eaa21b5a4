// run: stop=2 tolerance=1e-9 ; check: v1(0.5)=0±1e-9 ; check: v1(1.5)=1.5±1e-7 ; check: v2(1.5)=-0.5±1e-7 ; check: x1(2)=1.5±1e-7
model DrivenCornerCarries "A prescribed distance gets a corner: its hidden constraint makes both velocities jump, and momentum is conserved"
  Real x1(start = 0, fixed = true), v1(start = 0, fixed = true), x2, v2, F;
  Real distance = if time < 1 then 0 else 2*(time - 1);
equation
  der(x1) = v1;
  der(v1) = F;
  der(x2) = v2;
  3*der(v2) = -F;
  x1 - x2 = distance;
end DrivenCornerCarries;
