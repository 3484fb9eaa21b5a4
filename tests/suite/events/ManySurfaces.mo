// run: stop=2 ; check: x[1](2)=0±1e-12 ; check: x[5](2)=0±1e-12 ; check: y(2)=1.9±1e-4 ; effort: state_events<=4
model ManySurfaces "Five relays that come to their surfaces at one instant"
  // They are there at 0.1 but for 0.1*sin(t)*5*x < 5e-3*t, and rest there; y goes on by its own mean, 1.
  Real x[5](each start = 0.1, each fixed = true), y(start = 0, fixed = true);
equation
  for i in 1:5 loop
    der(x[i]) = (if x[i] > 0 then -1 else 1) + 0.1*sin(time)*sum(x);
  end for;
  der(y) = if time < 0.1 then 0 else 1 + (if x[3] > 0 then 1 else -1)*0;
end ManySurfaces;
