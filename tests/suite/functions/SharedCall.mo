// run: stop=1 ; check: a(0.25)=0 ; check: b(0.25)=0 ; check: a(end)=0.7071067811865476±1e-9 ; check: b(end)=0.3535533905932738±1e-9
model SharedCall "Two choices share a call; where neither takes it, it is not made"
  function parts
    input Real x;
    output Real a, b;
  algorithm
    assert(x > 0, "nothing to divide");
    a := sqrt(x);
    b := x*a;
    annotation(Inline = false);
  end parts;
  Real x = time - 0.5;
  Real a, b;
algorithm
  if x > 0 then
    (a, b) := parts(x);
  else
    a := 0;
    b := 0;
  end if;
end SharedCall;
