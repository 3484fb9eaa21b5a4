// run: stop=8 tolerance=1e-8 ; check: z(8)=0.06097723044660±1e-6 ; check: w(8)=-0.0304886152233±1e-6
// Two relays spiral into the intersection of their surfaces at 0.75 s. From then on -sx + 2*sy + d = 0 and 2*sx + sy = 0 hold with the
// drift d, so sy = -0.4*d and sx = 0.2*d. The integral of 0.3*sin(time) from 4 to 8 is 0.3*(cos(4) - cos(8)).
model SpiralShares "What switched ever more quickly slides on with the shares that the equations ask for"
  Real x(start=1, fixed=true), y(start=0.5, fixed=true), z(start=0, fixed=true), w(start=0, fixed=true), sx, sy;
equation
  sx = if x > 0 then 1 else -1;
  sy = if y > 0 then 1 else -1;
  der(x) = -sx + 2*sy + (if time > 4 then 0.3*sin(time) else 0);
  der(y) = -2*sx - sy;
  der(z) = if time > 4 then sy else 0;
  der(w) = if time > 4 then sx else 0;
end SpiralShares;
