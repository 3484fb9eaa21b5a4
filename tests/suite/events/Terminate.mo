// run: stop=10 ; check: n(2.5)=1
model Terminate "The run ends at the event, with the terminal event as its last"
  Integer n(start = 0, fixed = true);
equation
  when time >= 2.5 then
    terminate("done");
  end when;
  when terminal() then
    n = pre(n) + 1;
  end when;
end Terminate;
