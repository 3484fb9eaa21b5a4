package impulses
  model Rod "falls on a rough floor: whether its end sticks or slips is decided by the impulses"
    parameter Real m = 1, l = 0.5, g = 9.81, mu = 0.9, J = m*l^2/3, th0 = 0.9, vx0 = -0.5;
    Real x(start = 0, fixed = true), y(start = 0.3 + l*sin(th0), fixed = true), th(start = th0, fixed = true);
    Real vx(start = vx0, fixed = true), vy(start = 0, fixed = true), w(start = 0, fixed = true);
    Real Fx, Fy, vAx, vAy, p "excess of the tangential force while the end sticks, slip to the left while it slips";
    Boolean contact(start = false, fixed = true), slip;
  equation
    der(x) = vx;
    der(y) = vy;
    der(th) = w;
    m*der(vx) = Fx;
    m*der(vy) = Fy - m*g;
    J*der(w) = l*sin(th)*Fx - l*cos(th)*Fy;
    vAx = vx + w*l*sin(th);
    vAy = vy - w*l*cos(th);
    when y - l*sin(th) <= 0 then
      contact = true;
    end when;
    slip = contact and p > 0;
    0 = if contact then vAy else Fy;
    0 = if not contact then Fx else if slip then Fx - mu*Fy else vAx;
    p = if slip then -vAx else Fx - mu*Fy;
  end Rod;

  model Sticks
    extends Rod(mu = 0.9);
  end Sticks;

  model Slips
    extends Rod(mu = 0.3);
  end Slips;

  model SlipsFromRest
    extends Rod(mu = 0.3, vx0 = 0);
  end SlipsFromRest;
end impulses;
