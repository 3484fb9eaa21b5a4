// run: stop=1 tolerance=1e-9 ; check: s(0.05)=2 ; check: s(0.95)=20 ; check: v(0.05)=2
// An input that is read in a clocked partition only belongs to it: it is read at the ticks, here ten times with its start value 2.
model InputOfPartition
  input Real u(start = 2);
  Real s(start = 0), v;
equation
  when Clock(1, 10) then
    s = previous(s) + u;
    v = u;
  end when;
end InputOfPartition;
