// compile:
// Two when-clauses for one variable. Both places are shown, and the way to join them.
model TwoWhens
  discrete Real x(start=0, fixed=true);
equation
  when time > 0.2 then
    x = 1; //~ error[when-conflict] two when-equations assign `x`
  end when;
  when time > 0.5 then
    x = 2;
  end when;
end TwoWhens;
