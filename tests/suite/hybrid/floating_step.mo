model floating_step "A source steps across a capacitor, both between nodes that float: only the numbers show the constraint"
  Real v2, v3, u2(start = 0, fixed = true), u6, i1, i2, i6;
equation
  u2 = v3 - v2;
  u6 = v3 - v2;
  u6 = if time < 0.5 then 0 else 4;
  i2 = 0.4*der(u2);
  v2 = 2*i1;
  -i1 + i2 + i6 = 0;
  v3 = -3*(i2 + i6);
end floating_step;
