// run: stop=4 tolerance=1e-9 ; check: a.h(4)=0±1e-6 ; check: b.h(4)=0±1e-6 ; check: b.v(4)=0±1e-6
model Impacts "Two bodies pass their own Zeno points and rest"
  model Body
    parameter Real e, h0;
    Real h(start = h0, fixed = true), v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h <= 0 then
      reinit(v, -e*pre(v));
    end when;
  end Body;
  Body a(e = 0.5, h0 = 1), b(e = 0.6, h0 = 1.3);
end Impacts;
