within Kairos.Mechanics.Translational.Parts;
model CollidingBodies "Free bodies in a row that collide"
  parameter Integer n(min=2) = 2 "Number of bodies";
  parameter Units.Mass m[n](each min=1e-12) = fill(1, n) "Masses, from left to right";
  parameter Units.Length width = 0 "Distance of the centres of two bodies that touch";
  parameter Units.Restitution e = 1 "Restitution";
  Interfaces.Flange flange[n] "Centres of the bodies"
    annotation(Placement(transformation(extent={{-10, -110}, {10, -90}})));
  Units.Length s[n](each start=0, each fixed=true) "Positions";
  Units.Velocity v[n](each start=0, each fixed=true) "Velocities";
  Integer collisions(start=0, fixed=true) "Number of collisions of two bodies";
protected
  Boolean touching[n-1] "Bodies k and k + 1 touch and approach each other";
  Integer hit "The pair that collides; of several the leftmost first";
equation
  s = flange.s;
  for i in 1:n loop
    der(s[i]) = v[i];
    m[i]*der(v[i]) = flange[i].f;
  end for;
  for k in 1:n-1 loop
    touching[k] = s[k] + width >= s[k+1] and v[k] > v[k+1];
  end for;
  hit = Blocks.Logical.firstTrue(touching);
  for i in 1:n loop
    if i == 1 then
      when hit == 1 then
        reinit(v[i], pre(v[i]) - m[i+1]*(1 + e)*(pre(v[i]) - pre(v[i+1]))/(m[i] + m[i+1]));
      end when;
    elseif i == n then
      when hit == n - 1 then
        reinit(v[i], pre(v[i]) + m[i-1]*(1 + e)*(pre(v[i-1]) - pre(v[i]))/(m[i-1] + m[i]));
      end when;
    else
      when hit == i - 1 then
        reinit(v[i], pre(v[i]) + m[i-1]*(1 + e)*(pre(v[i-1]) - pre(v[i]))/(m[i-1] + m[i]));
      elsewhen hit == i then
        reinit(v[i], pre(v[i]) - m[i+1]*(1 + e)*(pre(v[i]) - pre(v[i+1]))/(m[i] + m[i+1]));
      end when;
    end if;
  end for;
  when {hit == k for k in 1:n-1} then
    collisions = pre(collisions) + 1;
  end when;
  annotation(
    Icon(graphics={
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-100, -30}, {-40, 30}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{-30, -30}, {30, 30}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{40, -30}, {100, 30}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Newton's law of impact for neighbours in a row: momentum is conserved and the speed of separation is e times that of approach. Collisions at the same instant follow each other from left to right.</p></html>"));
end CollidingBodies;
