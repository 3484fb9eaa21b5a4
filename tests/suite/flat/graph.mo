within;
package Graph "Overconstrained connection graphs (MLS 9.4)"
  record Angle "An angle as two dependent numbers"
    Real c;
    Real s;
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real residue[1];
    algorithm
      residue[1] := a.c*b.s - a.s*b.c;
    end equalityConstraint;
  end Angle;

  connector Flange
    Angle R;
    flow Real tau;
  end Flange;

  model Ground
    Flange f;
  equation
    Connections.root(f.R);
    f.R.c = 1;
    f.R.s = 0;
  end Ground;

  model Rigid "Both flanges have the same angle"
    Flange a;
    Flange b;
    Boolean fromA = Connections.rooted(a.R);
  equation
    Connections.branch(a.R, b.R);
    b.R.c = a.R.c;
    b.R.s = a.R.s;
    a.tau + b.tau = 0;
  end Rigid;

  model Load
    parameter Integer priority = 0;
    Flange f;
    Boolean root = Connections.isRoot(f.R);
    Integer connections = cardinality(f);
  equation
    Connections.potentialRoot(f.R, priority=priority);
    if Connections.isRoot(f.R) then
      f.R.c = cos(time);
      f.R.s = sin(time);
    else
      f.tau = f.R.s;
    end if;
  end Load;

  model Chain "One tree, rooted at the ground"
    Ground ground;
    Rigid first;
    Rigid second;
    Load load;
  equation
    connect(ground.f, first.b);
    connect(first.a, second.a);
    connect(second.b, load.f);
  end Chain;

  model Loop "Two ways from the ground to the load"
    Ground ground;
    Rigid first;
    Rigid second;
    Load load;
  equation
    connect(ground.f, first.a);
    connect(ground.f, second.a);
    connect(first.b, load.f);
    connect(second.b, load.f);
  end Loop;

  model Priorities "No definite root"
    Load heavy(priority=2);
    Load light(priority=1);
    Rigid rigid;
  equation
    connect(heavy.f, rigid.a);
    connect(rigid.b, light.f);
  end Priorities;

  model Redundant "Three connections among three connectors"
    Ground ground;
    Load one;
    Load two;
  equation
    connect(ground.f, one.f);
    connect(one.f, two.f);
    connect(two.f, ground.f);
  end Redundant;

  record Phase
    Real gamma;
    function equalityConstraint
      input Phase a;
      input Phase b;
      output Real residue[0];
    algorithm
      assert(abs(a.gamma - b.gamma) < 1e-5, "The phases differ");
    end equalityConstraint;
  end Phase;

  connector Pin
    Phase phase;
    Real v;
    flow Real i;
  end Pin;

  model Source
    Pin pin;
  equation
    Connections.root(pin.phase);
    pin.phase.gamma = time;
    pin.v = 1;
  end Source;

  model Resistor
    Pin p;
    Pin n;
  equation
    Connections.branch(p.phase, n.phase);
    p.phase.gamma = n.phase.gamma;
    p.v - n.v = p.i;
    p.i + n.i = 0;
  end Resistor;

  model Bridge "Two sources: the connection between their trees is only checked"
    Source left;
    Source right;
    Resistor r;
  equation
    connect(left.pin, r.p);
    connect(r.n, right.pin);
  end Bridge;

  model NoRoot
    Rigid one;
    Rigid two;
  equation
    connect(one.b, two.a);
  end NoRoot;

  model TwoRoots
    Flange a;
    Flange b;
  equation
    Connections.root(a.R);
    Connections.root(b.R);
    Connections.branch(a.R, b.R);
  end TwoRoots;
end Graph;
