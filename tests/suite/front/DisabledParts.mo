// run: stop=1 ; check: a.v(1)=7 ; check: b[2].v(1)=8 ; check: c.v(1)=9 ; check: d.q[2].v(1)=3 ; check: e(1)=1
// compile: ; print: flat
model DisabledParts "A disabled component takes its connections with it, whatever they would need to know (MLS 4.4.5)"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Source
    parameter Integer n;
    Pin p[n];
  equation
    for k in 1:n loop
      p[k].v = k;
    end for;
  end Source;
  model Fixed
    parameter Real v = 1;
    Pin p;
  equation
    p.v = v;
  end Fixed;
  model Row
    parameter Integer n = 0;
    parameter Boolean on = false;
    Pin q[n];
    Source s(n = n) if on;
    Fixed f[n](v = {k + 1 for k in 1:n}) if not on;
  equation
    connect(s.p, q);
    connect(f.p, q);
  end Row;
  record Glass
    parameter Real t[:] = {1};
  end Glass;
  record System
    parameter Glass glass[:];
  end System;
  connector Signal = Real;
  model Window
    parameter System sys;
    parameter Boolean several = size(sys.glass, 1) > 1;
    Signal y if several;
  end Window;
  parameter Real areas[1] = {0};
  parameter Real total = sum(areas);
  Pin a, b[2], c;
  Source s1(n = 2) if false, s2(n = 2) if total > 0;
  Source s3[2](each n = 2) if false;
  Fixed f(v = 7), g[2](each v = 8), h(v = 9);
  Row d(n = 2);
  Window w if false;
  Signal e;
equation
  connect(s1.p[1], a);
  connect(f.p, a);
  connect(s2.p, b);
  connect(g.p, b);
  connect(s3[1].p[2], c);
  connect(h.p, c);
  connect(w.y, e);
  e = 1;
end DisabledParts;
