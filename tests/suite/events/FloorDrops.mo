// run: stop=12 tolerance=1e-8 ; check: h(4)=0±1e-5 ; check: h(5.4)=-0.7848±1e-5 ; check: h(8)=-1±1e-5 ; check: v(8)=0±1e-5 ; check: h(11)=-0.8±1e-4
model FloorDrops "A ball at rest falls when its floor drops, comes to rest there, and goes up with it"
  Real h(start = 0.5, fixed = true), v(start = 0, fixed = true);
  Real floor = if time < 5 then 0 elseif time < 10 then -1 else 0.2*(time - 10) - 1;
  Real speed = if time < 10 then 0 else 0.2;
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= floor then
    reinit(v, speed - 0.6*(pre(v) - speed));
  end when;
end FloorDrops;
