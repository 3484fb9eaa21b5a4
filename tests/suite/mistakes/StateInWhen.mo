// compile:
// A ball whose speed is set in a when-equation. What: two equations for one variable. Where: both. Way out: `reinit`.
model StateInWhen
  Real h(start=1, fixed=true), v(start=0, fixed=true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    v = -0.8*pre(v); //~ error[state-in-when] `v` is given a value here
  end when;
end StateInWhen;
