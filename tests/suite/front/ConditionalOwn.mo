// compile:
model ConditionalOwn "A class that uses its own conditional component breaks with every other condition (MLS 4.4.5)"
  parameter Boolean has = true;
  Real x = 1 if has;
  Real y = x; //~ error[conditional-use] `x` is conditional
end ConditionalOwn;
