// run: stop=1
model LongMessage "A message about a long equation is short"
  discrete Real e;
initial equation
  pre(e) = 0;
initial algorithm //~ error[initial-inconsistent] … else …` contradicts the others
  e := time;
  for i in 1:40 loop
    if 3*i - e < 5 then
      e := e - 1;
    else
      e := e + (if e > i then 1 else 2);
    end if;
  end for;
equation
  when sample(1, 1) then
    e = pre(e) + 1;
  end when;
end LongMessage;
