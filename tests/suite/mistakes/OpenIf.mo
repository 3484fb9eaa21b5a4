// compile:
// An if-equation that is not closed. Both places are shown.
model OpenIf
  Real x;
equation
  if time > 0.5 then
    x = 1;
  else
    x = 2;
end OpenIf; //~ error[unclosed-block] expected `end if`
