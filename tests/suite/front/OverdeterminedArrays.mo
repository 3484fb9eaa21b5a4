// run: stop=2 ; check: r.t.theta[2](2)=2±1e-9 ; check: s.t.theta[1](2)=0 ; check: q.t.theta[2](2)=2±1e-9 ; check: r.t.i(2)=1±1e-9
// compile: ; print: flat
model OverdeterminedArrays "An array of an overdetermined type is one node of the connection graph (MLS 9.4)"
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a[:], b[:];
      output Real r[0];
    algorithm
    end equalityConstraint;
  end Angle;
  connector Terminal
    Real v;
    flow Real i;
    Angle theta[2];
  end Terminal;
  model Source
    Terminal t;
  equation
    Connections.potentialRoot(t.theta);
    if Connections.isRoot(t.theta) then
      t.theta = {0, time};
    end if;
    t.v = 1;
  end Source;
  model Load
    Terminal t;
  equation
    t.v = t.i;
  end Load;
  model Through
    Terminal t, u;
  equation
    Connections.branch(t.theta, u.theta);
    t.theta = u.theta;
    t.i + u.i = 0;
    t.v = u.v;
  end Through;
  Source s;
  Load r, q;
  Through x;
equation
  connect(s.t, r.t);
  connect(s.t, x.t);
  connect(x.u, q.t);
end OverdeterminedArrays;
