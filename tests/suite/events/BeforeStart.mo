// run: stop=2 ; check: y(0)=1 ; check: u(0)=1 ; check: y(1.5)=0 ; check: v(0.2)=1 ; check: closed(0.2)=1 ; check: closed(1)=0 ; check: n(2)=1 ; check: fell(0)=0 ; check: falls(2)=1 ; check: pulse(0)=1
// compile: ; print: causal
model BeforeStart "`pre(u)` is an unknown of the initial problem of its own where `u = y` (MLS 8.6)"
  Boolean y, u, v(start = true, fixed = true), closed = v;
  Integer n(start = 0, fixed = true);
  // The fixed start of a follower is what it was before the start (MLS 8.6).
  Boolean pulse, watched(start = false, fixed = true) = pulse;
  Boolean notWatched(start = true, fixed = true) = not watched;
  Boolean fell = edge(notWatched);
  Integer falls(start = 0, fixed = true);
initial algorithm
  pulse := time < 0.5;
initial equation
  y = true;
  pre(u) = false;
  pre(closed) = v;
equation
  when sample(1, 2) then
    y = not pre(y);
  end when;
  u = y;
  when time > 0.5 then
    v = not pre(v);
  end when;
  when sample(1, 5) then
    pulse = false;
  end when;
  when fell then
    falls = pre(falls) + 1;
  end when;
  when not u then
    n = pre(n) + 1;
  end when;
end BeforeStart;
