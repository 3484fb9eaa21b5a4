// run: stop=10 ; check: n(0.5)=1 ; check: n(1.5)=2 ; check: n(3.5)=3 ; check: n(6.5)=4 ; check: n(9.5)=4
model VariableInterval "Each tick says when the next one comes: 0, 1, 3, 6, 10"
  Integer k(start = 0), n;
  Clock c = Clock(k, 1);
equation
  when c then
    k = previous(k) + 1;
  end when;
  n = hold(k);
end VariableInterval;
