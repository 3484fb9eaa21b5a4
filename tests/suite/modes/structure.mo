package structure
  model PositionContact "contact written on positions: index three"
    Real x1(start = 0, fixed = true), x2(start = 1, fixed = true);
    Real v1(start = 2, fixed = true), v2(start = 0, fixed = true), lam;
    Boolean contact(start = false, fixed = true);
  equation
    der(x1) = v1;
    der(x2) = v2;
    der(v1) = -lam;
    3*der(v2) = lam;
    0 = if contact then x1 - x2 else lam;
    when x1 >= x2 then
      contact = true;
    end when;
  end PositionContact;

  model TautRope "nonlinear constraint: the radial velocity is lost"
    Real x(start = 0, fixed = true), y(start = 0, fixed = true);
    Real vx(start = 3, fixed = true), vy(start = 4, fixed = true), T;
    Real w "angular momentum";
    Boolean taut(start = false, fixed = true);
  equation
    der(x) = vx;
    der(y) = vy + 1;
    der(vx) = -T*x;
    der(vy) = -T*y;
    w = x*vy - y*vx;
    0 = if taut then x^2 + y^2 - 1 else T;
    when x^2 + y^2 >= 1 then
      taut = true;
    end when;
  end TautRope;

  model Body "an explicit jump into a mode that determines the same variable"
    Real h(start = 1, fixed = true), v(start = 0, fixed = true), F;
    Boolean stuck(start = false, fixed = true);
  equation
    der(h) = v;
    der(v) = -10 + F;
    0 = if stuck then v else F;
    when h <= 0 and v < 0 then
      stuck = pre(v) > -3;
    end when;
    when h <= 0 then
      reinit(v, if stuck then 0 else -0.5*pre(v));
    end when;
  end Body;

  model Capacitors "a switch closes between charged capacitors; another one has its own mode"
    Real u[2](start = {3, 0}, each fixed = true), i;
    Real w(start = 5, fixed = true), j;
    Real source = 2*time "read by both";
  equation
    1*der(u[1]) = -i;
    2*der(u[2]) = i + 0*source;
    0 = if time >= 1 then u[1] - u[2] else i;
    der(w) = j;
    0 = if time >= 2 then w - source else j;
  end Capacitors;

  model Thrown "at rest after infinitely many impacts, and thrown again"
    Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81 + (if time >= 3 and time < 3.2 then 30 else 0);
    when h <= 0 then
      reinit(v, -0.5*pre(v));
    end when;
  end Thrown;

  model Cradle "elastic collisions of three equal bodies as constraints that come and go"
    Real x[3](start = {0, 1, 1}, each fixed = true), v[3](start = {1, 0, 0}, each fixed = true), lam[2];
    discrete Real e[2](each start = 0, each fixed = true);
    Boolean c[2](each start = false, each fixed = true);
  equation
    der(x) = v;
    der(v[1]) = -lam[1];
    der(v[2]) = lam[1] - lam[2];
    der(v[3]) = lam[2];
    for k in 1:2 loop
      0 = if c[k] then v[k] - v[k + 1] - e[k] else lam[k];
      when x[k] >= x[k + 1] and v[k] > v[k + 1] then
        c[k] = true;
        e[k] = -pre(v[k]) + pre(v[k + 1]);
      elsewhen v[k] <= v[k + 1] then
        c[k] = false;
        e[k] = 0;
      end when;
    end for;
  end Cradle;

  model Contradiction "two drives that demand different speeds"
    Real v(start = 0, fixed = true), f1, f2;
  equation
    der(v) = f1 + f2;
    0 = if time >= 1 then v - 1 else f1;
    0 = if time >= 1 then v - 2 else f2;
  end Contradiction;

  model Undecided "each condition says that the other branch should hold"
    Real v(start = 1, fixed = true), f;
    Boolean b;
  equation
    der(v) = f - 1;
    b = f < 0.5 and time >= 0.5;
    0 = if b then der(v) + 0*f else f;
  end Undecided;

  model BreakingString "a pendulum swings through its lowest point, where other states serve than before, and breaks"
    Real x(start = 1, fixed = true), y(start = 0, fixed = true);
    Real vx(start = 0, fixed = true), vy(start = 0, fixed = true), F;
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = -F*x;
    der(vy) = -9.81 - F*y;
    0 = if time < 0.6 then x^2 + y^2 - 1 else F;
  end BreakingString;

  model CoilsInSeries "coils that a switch puts in series; what follows from a state is seen at events, too"
    Real i1(start = 4, fixed = true), i2(start = 0, fixed = true), v, seen(start = 0, fixed = true);
    Boolean short = time < 1;
  equation
    der(i1) = 10 - i1 - v;
    3*der(i2) = v - i2;
    0 = if short then v else i1 - i2;
    when time >= 1.5 then
      seen = i2;
    end when;
  end CoilsInSeries;

  model Overlap "a bridge between two coils: while it commutates all four diodes conduct, and nothing divides their current"
    parameter Real Ls = 1e-3, L = 0.05, R = 5, w = 100*3.141592653589793;
    Real iL(start = 0, fixed = true), id(start = 0, fixed = true), va, vb, vp, i[4], s[4];
    Boolean off[4];
  equation
    for k in 1:4 loop
      off[k] = s[k] < 0;
      i[k] = if off[k] then 0 else s[k];
    end for;
    va - vp = if off[1] then s[1] else 0;
    vb - vp = if off[2] then s[2] else 0;
    0 - va = if off[3] then s[3] else 0;
    0 - vb = if off[4] then s[4] else 0;
    Ls*der(iL) = 100*sin(w*time) - (va - vb);
    iL + i[3] = i[1];
    i[4] - iL = i[2];
    i[1] + i[2] = id;
    L*der(id) = vp - R*id;
  end Overlap;

  model TwoStops "stops that let go when the force turns: without `pre` the condition contradicts what follows from it"
    Real x(start = 0.5, fixed = true), v(start = 0, fixed = true), F;
    Real u = if time < 2 then -3 elseif time < 4 then -1 else 3;
    Boolean low(start = false, fixed = true), high(start = false, fixed = true);
  equation
    der(x) = v;
    der(v) = u - F;
    low = if pre(low) then F <= 0 else x <= 0 and v < 0;
    high = if pre(high) then F >= 0 else x >= 1 and v > 0;
    0 = if low or high then v else F;
  end TwoStops;

  model TwelvePulse "two bridges of six diodes in series, behind coils: more conditions than can be tried in all combinations"
    parameter Real Ls = 1e-3, L = 0.02, R = 5, w = 100*pi, pi = 3.141592653589793;
    Real i[2, 3], id(start = 0, fixed = true), v[2, 3], vp[2], vn[2], n[2];
    Real up[2, 3], down[2, 3], s[2, 3], r[2, 3];
    Boolean off[2, 3], out[2, 3];
  initial equation
    i[:, 1:2] = zeros(2, 2);
  equation
    for b in 1:2 loop
      for k in 1:3 loop
        off[b, k] = s[b, k] < 0;
        out[b, k] = r[b, k] < 0;
        up[b, k] = if off[b, k] then 0 else s[b, k];
        down[b, k] = if out[b, k] then 0 else r[b, k];
        v[b, k] - vp[b] = if off[b, k] then s[b, k] else 0;
        vn[b] - v[b, k] = if out[b, k] then r[b, k] else 0;
        Ls*der(i[b, k]) = n[b] + 100*sin(w*time - (k - 1)*2*pi/3 - (b - 1)*pi/6) - v[b, k];
        i[b, k] + down[b, k] = up[b, k];
      end for;
      sum(up[b, :]) = id;
      sum(down[b, :]) = id;
    end for;
    n[1] = 0;
    vn[1] = vp[2];
    L*der(id) = vp[1] - vn[2] - R*id;
  end TwelvePulse;
end structure;
