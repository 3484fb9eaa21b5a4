// run: stop=2
model ManySurfaces "Five relays that come to their surfaces at one instant: more than can be followed"
  Real x[5](each start = 0.1, each fixed = true);
equation
  for i in 1:5 loop
    der(x[i]) = (if x[i] > 0 then -1 else 1) + 0.1*sin(time)*sum(x); //~ error[several-surfaces] more than 4 switching surfaces
  end for;
end ManySurfaces;
