// run: stop=1 ; check: n(0.5)=0 ; check: n(1)=0
// A clock that is an input ticks where a Boolean input of its name becomes true: without one never, and not by a default.
model InputClock
  input Clock c;
  Integer k(start = 0), n;
equation
  when c then
    k = previous(k) + 1;
  end when;
  n = hold(k);
end InputClock;
