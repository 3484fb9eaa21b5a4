// run: stop=3.3 ; check: up(3.3)=4 ; check: on(3.1)=1 ; check: on(3.3)=0 ; effort: steps=0
model PulseTrain "Time events that plan each other, without an integrator"
  parameter Real period = 1, width = 0.25;
  discrete Real rise(start = 0, fixed = true);
  Boolean on;
  Integer up(start = 0, fixed = true);
algorithm
  when {time >= pre(rise) + period, initial()} then
    rise := if initial() then 0 else pre(rise) + period;
    up := pre(up) + 1;
  end when;
equation
  on = time < rise + width;
end PulseTrain;
