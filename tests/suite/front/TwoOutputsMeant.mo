// run: ; check: tank.n.v(end)=5 ; check: sum.y(end)=10
// Two outputs are connected, which MLS 9.3 forbids; but only one of them has an equation, so the model as a whole is balanced.
model TwoOutputsMeant
  connector Node
    Real c;
    flow Real q;
    output Real v;
  end Node;
  model Tank
    Node n;
  equation
    n.v = 5;
    n.c = 1;
  end Tank;
  model Reader
    Node n;
    Real y = 2*n.v;
  equation
    n.q = 0;
  end Reader;
  Tank tank;
  Reader sum;
equation
  connect(tank.n, sum.n);
  annotation(experiment(StopTime = 1));
end TwoOutputsMeant;
