// compile
model UnknownClass
  Rael x; //~ error[unknown-class] no class `Rael`
equation
  x = 1;
end UnknownClass;
