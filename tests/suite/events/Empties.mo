// run: model=Empties.Tank stop=30 ; check: h(3)=0.3025±1e-5 ; check: h(end)=0±1e-6
// run: model=Empties.Tank stop=30 method=esdirk ; check: h(3)=0.3025±1e-5 ; check: h(end)=0±1e-6
// run: model=Empties.Tank stop=30 method=radau ; check: h(3)=0.3025±1e-5 ; check: h(end)=0±1e-6
// run: model=Empties.Raised stop=30 ; check: h(end)=2±1e-6
// run: model=Empties.Two stop=30 ; check: a(end)=0±1e-6 ; check: b(end)=30±1e-6
package Empties "Motions that come to the edge of a domain in finite time and stay there"
  model Tank "h = (1 - 0.15 t)^2 until t = 6.67"
    Real h(start = 1, fixed = true);
  equation
    der(h) = -0.3*sqrt(h);
  end Tank;

  model Raised "the edge is at 2"
    Real h(start = 3, fixed = true);
  equation
    der(h) = -0.3*sqrt(h - 2);
  end Raised;

  model Two "something else goes on"
    Real a(start = 1, fixed = true), b(start = 0, fixed = true);
  equation
    der(a) = -0.3*sqrt(a);
    der(b) = 1;
  end Two;
end Empties;
