// run: stop=4 tolerance=1e-9 ; check: v[1](4)=0±1e-9 ; check: v[12](4)=0±1e-9 ; effort: state_events<=40
// run: stop=1 tolerance=1e-9 ; check: v[1](1)=0.41666666667±1e-8 ; check: v[2](1)=0.41666666667±1e-8 ; check: v[12](1)=0.41666666667±1e-8
model SurfacesAdd "Twelve sleds one behind the other, coupled by friction only, on ground that holds the last"
  // All of them together weigh 12 and are pushed by 12 until 1/2 s: they move as one as long as the couplings (at least 10)
  // carry what those in front need. After that the ground brakes the last with 2, the couplings carry that, too, and all
  // stop together: their momentum of 6 is gone after 3 s, at 3.5 s, and 1/6 of a metre per second goes each second.
  parameter Integer n = 12;
  Real v[n](each start = 0, each fixed = true), f[n - 1], g;
equation
  f = {if v[i] - v[i + 1] > 0 then 20 else -20 for i in 1:n - 1};
  g = if time < 0.5 then 0 elseif v[n] > 0 then 2 else -2;
  der(v[1]) = (if time < 0.5 then 12 else 0) - f[1];
  for i in 2:n - 1 loop
    der(v[i]) = f[i - 1] - f[i];
  end for;
  der(v[n]) = f[n - 1] - g;
end SurfacesAdd;
