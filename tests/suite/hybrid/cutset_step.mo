model cutset_step "A current source steps into two coils in parallel: both see the same pulse"
  Real i1(start = 0, fixed = true), i2, v, J;
equation
  J = if time < 0.5 then 0 else 6;
  i1 + i2 = J;
  2*der(i1) + 1*i1 = v;
  1*der(i2) + 3*i2 = v;
end cutset_step;
