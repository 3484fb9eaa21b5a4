// compile:
// Another case of a letter. The help has the name that was meant.
model Capital
  Real Speed(start=0, fixed=true);
equation
  der(speed) = 1; //~ error[unknown-name] `speed`
end Capital;
