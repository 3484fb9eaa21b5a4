// run: stop=2 ; check: x[1](2)=0±1e-12 ; check: x[3](2)=0±1e-12 ; check: x[5](2)=0±1e-12 ; effort: state_events<=12
model SurfacesInTurn "Five relays that come to their surfaces one after the other"
  // Whatever the others do, each is driven to zero by at least 1 - 0.1*1.5, so that all rest there before 0.6.
  Real x[5](start = {0.1, 0.2, 0.3, 0.4, 0.5}, each fixed = true);
equation
  for i in 1:5 loop
    der(x[i]) = (if x[i] > 0 then -1 else 1) + 0.1*sin(time)*sum(x);
  end for;
end SurfacesInTurn;
