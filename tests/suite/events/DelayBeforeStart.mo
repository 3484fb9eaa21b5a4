// run: stop=3 ; check: n(0.5)=1 ; check: d(1)=0 ; check: d(1.999)=0 ; check: d(2.5)=1 ; check: seen(end)=2±1e-9
// Before its delay time `delay` gives the value at the start, which is the one that initialisation finds: the event at the
// start counts to one, and that comes out two seconds later, as an event.
model DelayBeforeStart
  Boolean on = time < 10, late = pre(on);
  Integer n(start = 0);
  Real d = delay(n, 2);
  Real seen(start = 0, fixed = true);
initial equation
  pre(on) = false;
  pre(n) = 0;
equation
  when late then
    n = pre(n) + 1;
  end when;
  when d > 0.5 then
    seen = time;
  end when;
end DelayBeforeStart;
