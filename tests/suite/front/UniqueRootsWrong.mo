// compile: model=UniqueRootsWrong.Two
// `Connections.uniqueRoot` (MLS 3.3, 9.4.1): a root of which a graph may have only one.
package UniqueRootsWrong
  type Level
    extends Real;
    function equalityConstraint
      input Real a;
      input Real b;
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end Level;
  connector Node
    Level x;
    Real e;
    flow Real f;
  end Node;
  model First
    Node n;
  equation
    Connections.uniqueRoot(n.x, "there is another root");
    n.x = 1;
    n.e = 0;
  end First;
  model Pass
    Node n, m;
  equation
    Connections.branch(n.x, m.x);
    n.x = m.x;
    n.f + m.f = 0;
    n.f = m.e - n.e;
  end Pass;
  model Two
    First a, b;
    Pass c;
  equation
    connect(a.n, c.n);
    connect(c.m, b.n); //~ error[root-not-unique] joins the trees
  end Two;
end UniqueRootsWrong;
