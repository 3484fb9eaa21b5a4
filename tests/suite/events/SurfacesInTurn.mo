// run: stop=2
model SurfacesInTurn "Five relays that come to their surfaces one after the other"
  Real x[5](start = {0.1, 0.2, 0.3, 0.4, 0.5}, each fixed = true);
equation
  for i in 1:5 loop
    der(x[i]) = (if x[i] > 0 then -1 else 1) + 0.1*sin(time)*sum(x); //~ error[several-surfaces] more than 4 switching surfaces
  end for;
end SurfacesInTurn;
