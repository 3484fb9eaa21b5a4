package apart "Parts that do not act on each other have their own steps; what looks at several of them must not see it"
  model Body
    parameter Real h0;
    Real h(start = h0, fixed = true), v(start = 0, fixed = true), F;
    Boolean stuck(start = false, fixed = true);
  equation
    der(h) = v;
    der(v) = -10 + F;
    0 = if stuck then v else F;
    when h <= 0 and v < 0 then
      stuck = pre(v) > -0.1;
    end when;
    when h <= 0 then
      reinit(v, if stuck then 0 else -0.5*pre(v));
    end when;
  end Body;

  model Compared "two bodies, a relation between them, and a sampler that reads one while the other bounces"
    Body a(h0 = 0.8), b(h0 = 1.25);
    Boolean above = a.h > b.h;
    discrete Real seen(start = 0, fixed = true);
    Integer passings(start = 0, fixed = true);
  equation
    when sample(0.05, 0.1) then
      seen = b.h;
    end when;
    when {above, not above} then
      passings = pre(passings) + 1;
    end when;
  end Compared;

  model Integrated "the same, with a state that reads both"
    extends Compared;
    Real w(start = 0, fixed = true);
  equation
    der(w) = a.h + b.h;
  end Integrated;

  model Resting "a body comes to rest while another one goes on"
    Body a(h0 = 0.0004), b(h0 = 1.25);
    Real load = a.F + b.F;
  end Resting;

  model Bouncer "counts how often it has bounced"
    parameter Real h0;
    Real h(start = h0, fixed = true), v(start = 0, fixed = true), F;
    Boolean stuck(start = false, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -10 + F;
    0 = if stuck then v else F;
    when h <= 0 and v < 0 then
      stuck = pre(v) > -0.001;
    end when;
    when h <= 0 then
      n = pre(n) + 1;
      reinit(v, if stuck then 0 else -0.999*pre(v));
    end when;
  end Bouncer;

  model Many "events of one part among those of many others, with a sampler that looks at two of them"
    Bouncer b[40](h0 = linspace(0.5, 1.5, 40));
    discrete Real seen(start = 0, fixed = true);
  equation
    when sample(0.5, 1) then
      seen = b[3].h + b[7].h;
    end when;
  end Many;
end apart;
