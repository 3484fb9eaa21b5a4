package Ticks "ticks and left limits that are read in several ways, beside a state that sees what follows"
  model Counted "x has the slope k after k ticks"
    Real x(start=0, fixed=true);
    discrete Real k(start=0, fixed=true);
  equation
    when sample(0.1, 0.1) then
      k = pre(k) + 1;
    end when;
    der(x) = k;
  end Counted;

  model Shown "a tick that is a variable holds at its instants only"
    Real x(start=0, fixed=true);
    Boolean tick = sample(0.1, 0.1);
    Integer n(start=0, fixed=true);
  equation
    when tick then
      n = pre(n) + 1;
    end when;
    der(x) = if tick then 100 else 1;
  end Shown;

  model Toggled "what a tick changes is an edge for others"
    Real x(start=0, fixed=true);
    Boolean b(start=false, fixed=true);
    Integer rises(start=0, fixed=true), changes(start=0, fixed=true);
  equation
    when sample(0.1, 0.1) then
      b = not pre(b);
    end when;
    when b then
      rises = pre(rises) + 1;
    end when;
    when change(b) then
      changes = pre(changes) + 1;
    end when;
    der(x) = if b then 1 else -1;
  end Toggled;

  model Preceded "a tick goes before what happens at the same instant, and that does not come after it"
    Real x(start=0, fixed=true);
    discrete Real m(start=0, fixed=true);
  equation
    when sample(0.1, 0.1) then
      m = 1;
    elsewhen time >= 0.25 then
      m = 2;
    elsewhen time >= 0.3 then
      m = 100;
    end when;
    der(x) = m;
  end Preceded;
end Ticks;
