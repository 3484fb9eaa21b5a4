// compile:
// `else if` in place of `elseif`. The help says so.
model ElseIf
  Real x;
equation
  if time > 0.5 then
    x = 1;
  else if time > 0.2 then
    x = 2;
  else
    x = 3;
  end if;
end ElseIf; //~ error[unclosed-block] expected `end if`
