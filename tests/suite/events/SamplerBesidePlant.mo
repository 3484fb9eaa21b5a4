// run: stop=1 tolerance=1e-8 ; check: x(1)=0.36787944117144233±1e-6 ; check: k(1)=1001 ; effort: restarts=1 time_events=999 steps<=100
model SamplerBesidePlant "An event that no continuous equation sees leaves the integration alone"
  Real x(start = 1, fixed = true);
  Integer k(start = 0, fixed = true);
equation
  der(x) = -x;
  when sample(0, 0.001) then
    k = pre(k) + 1;
  end when;
end SamplerBesidePlant;
