within;
package Connectors "Restrictions of connectors and connections (MLS 9.3)"
  connector Pin
    Real v;
    flow Real i;
  end Pin;

  connector In = input Real;
  connector Out = output Real;

  block Gain
    In u;
    Out y;
  equation
    y = 2*u;
  end Gain;

  block Source
    Out y = time;
  end Source;

  connector Sized
    parameter Integer n = 1;
    Real x[n];
    flow Real f[n];
  end Sized;

  model Series "Blocks within a block"
    In u;
    Out y;
    Gain a;
    Gain b;
  equation
    connect(u, a.u);
    connect(a.y, b.u);
    connect(b.y, y);
  end Series;

  model Signals
    Source source;
    Series series;
  equation
    connect(source.y, series.u);
  end Signals;

  model Free
    Sized s;
  end Free;

  model SameParameter
    Free a;
    Free b;
  equation
    connect(a.s, b.s);
    a.s.x = {1.0};
    a.s.f = {2.0};
  end SameParameter;

  model Unbalanced "error: two potentials for one flow"
    connector C
      Real v;
      Real w;
      flow Real i;
    end C;
    C c;
  equation
    c.v = 1;
    c.w = 2;
  end Unbalanced;

  model TwoSources "error: two outputs drive one input"
    Source one;
    Source two;
    Gain gain;
  equation
    connect(one.y, gain.u);
    connect(two.y, gain.u);
  end TwoSources;

  model DifferentParameter "error: the parameter differs"
    connector C
      parameter Real p = 1;
      Real v;
      flow Real i;
    end C;
    C a;
    C b(p=2);
  equation
    connect(a, b);
    a.v = 1;
  end DifferentParameter;

  model InWhen "error: connections are not events"
    Pin a;
    Pin b;
  equation
    when time > 1 then
      connect(a, b);
    end when;
  end InWhen;

  model NoConnector "error: plain variables"
    Real x = 1;
    Real y;
  equation
    connect(x, y);
  end NoConnector;

  model TooDeep "error: a connector two levels down"
    model A
      Pin p;
    end A;
    model B
      A a;
    end B;
    B b;
    Pin q;
  equation
    connect(b.a.p, q);
  end TooDeep;

  model StreamWithoutFlow "error: nothing carries the stream"
    connector C
      Real p;
      stream Real h;
    end C;
    C c;
  end StreamWithoutFlow;
end Connectors;
