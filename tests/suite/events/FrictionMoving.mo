// run: stop=6 tolerance=1e-9 ; check: wheel[1].phi(end)=0.5±1e-6 ; check: wheel[3].phi(end)=4.5±1e-6 ; check: wheel[3].w(end)=0±1e-9 ; check: a.w(end)=1±1e-6 ; check: d.w(end)=1±1e-6 ; check: body.s(end)=-1.5±1e-6 ; check: body.v(end)=0±1e-9
model FrictionMoving "Friction between parts that move already as the run begins, or after a blow"
  import R = Kairos.Mechanics.Rotational;
  import T = Kairos.Mechanics.Translational;
  // Each wheel turns w^2/2 before it stands.
  R.Parts.Inertia wheel[3](each J=1, w(start={1, 2, 3}));
  R.Parts.Brake brake[3](each tauMax=1, each u=1);
  // Clutches in series share the momentum of the first wheel evenly.
  R.Parts.Inertia a(J=1, w(start=4)), b(J=1), c(J=1), d(J=1);
  R.Parts.Clutch k1(tauMax=1, u=1), k2(tauMax=1, u=1), k3(tauMax=1, u=1);
  // Blows give a block that rests the speeds 1 and -2: it slides by 1/2 and by -2, to rest just as the next tick comes.
  T.Parts.Mass body(m=1);
  T.Parts.Friction floor(f0=1);
  T.Parts.Fixed ground;
equation
  for k in 1:3 loop
    connect(wheel[k].flange_b, brake[k].flange_a);
  end for;
  connect(a.flange_b, k1.flange_a);
  connect(k1.flange_b, b.flange_a);
  connect(b.flange_b, k2.flange_a);
  connect(k2.flange_b, c.flange_a);
  connect(c.flange_b, k3.flange_a);
  connect(k3.flange_b, d.flange_a);
  connect(body.flange_b, floor.flange_b);
  connect(floor.flange_a, ground.flange);
  when sample(1, 2) then
    reinit(body.v, if time < 2 then 1 else if time < 4 then -2 else 0);
  end when;
end FrictionMoving;
