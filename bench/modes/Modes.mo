package Modes "Models whose structure changes, for measuring"
  model Body "bounces on its own floor and sticks when it is slow"
    parameter Real h0 = 1, e = 0.999, g = 9.81;
    Real h(start = h0, fixed = true), v(start = 0, fixed = true), F;
    Boolean stuck(start = false, fixed = true);
  equation
    der(h) = v;
    der(v) = -g + F;
    0 = if stuck then v else F;
    when h <= 0 and v < 0 then
      stuck = pre(v) > -0.001;
    end when;
    when h <= 0 then
      reinit(v, if stuck then 0 else -e*pre(v));
    end when;
  end Body;

  model One
    Body b;
  end One;

  model Fifty "2^50 modes"
    Body b[50](h0 = linspace(0.5, 1.5, 50));
  end Fifty;

  model Chain "bodies in a row that stick together when they meet"
    constant Integer n = 21;
    parameter Real m[n] = linspace(1, 2, n);
    Real x[n](start = {k for k in 1:n}, each fixed = true);
    Real v[n](start = {if k == 1 then 10 else 0 for k in 1:n}, each fixed = true);
    Real lam[n - 1];
    Boolean contact[n - 1](each start = false, each fixed = true);
  equation
    der(x) = v;
    for k in 1:n loop
      m[k]*der(v[k]) = (if k > 1 then lam[max(k - 1, 1)] else 0) - (if k < n then lam[min(k, n - 1)] else 0);
    end for;
    for k in 1:n - 1 loop
      0 = if contact[k] then v[k] - v[k + 1] else lam[k];
      when x[k] >= x[k + 1] then
        contact[k] = true;
      end when;
    end for;
  end Chain;

  model Blinking "twenty coupled contacts that close and open together again and again"
    constant Integer n = 21;
    Real v[n](each start = 0, each fixed = true), lam[n - 1];
    Boolean on(start = false, fixed = true);
  equation
    when sample(0, 0.001) then
      on = not pre(on);
    end when;
    for k in 1:n loop
      der(v[k]) = sin(k*time) + (if k > 1 then lam[max(k - 1, 1)] else 0) - (if k < n then lam[min(k, n - 1)] else 0);
    end for;
    for k in 1:n - 1 loop
      0 = if on then v[k] - v[k + 1] else lam[k];
    end for;
  end Blinking;
end Modes;
