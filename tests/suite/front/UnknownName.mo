// compile
model UnknownName
  Real speed;
equation
  der(speed) = sped; //~ error[unknown-name] no variable `sped`
end UnknownName;
