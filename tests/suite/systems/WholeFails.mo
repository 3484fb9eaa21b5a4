// run: stop=1 ; check: x(0.4)=-1±1e-9 ; check: x(0.6)=40±1e-9 ; check: x(end)=40±1e-9 ; check: v[40](end)=21±1e-9 ; check: v[39](end)=11.5±1e-9 ; check: v[1](0.6)=1.6±1e-9
model WholeFails "A net that is solved as a whole, since elimination magnifies round-off; after a jump only its torn form, one unknown, finds the change of sign"
  parameter Integer n = 40;
  Real s = 1 + time;
  // Round-off doubles from one to the next. With v[0] = s and v[n+1] = x, v[i] - s = (x - s)*(2^i - 2^(-i))/(2^(n+1) - 2^(-n-1)):
  // up to 2^(-2*n) the last is half way between s and x, the one before a quarter of the way.
  Real v[n];
  Real x(start = -0.9) "The right side is zero then, so this is d";
  Real d = if time < 0.5 then -1 else 40;
equation
  for i in 1:n loop
    2.5*v[i] = (if i > 1 then v[max(i - 1, 1)] else s) + (if i < n then v[min(i + 1, n)] else x) + 0.5*s;
  end for;
  // From far away the slope is so small that the steps of Newton's method lead away.
  atan(100*(x - d)) = 2*v[n] - x - s;
end WholeFails;
