// run: stop=6 tolerance=1e-9 ; check: v(2)=0±1e-9 ; check: v(4)=4±1e-6 ; check: v(end)=-2±1e-6 ; check: x(end)=5.5±1e-6
model FrictionReleased "Friction that holds a block is overcome as a controller ticks"
  // From 1 to rest in one second; at 2 the force 3 against friction 1 gives it 2 a second, at 4 the force -3 takes 4 a second
  // until it stands at 5, then it goes back with 2 a second.
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
  Boolean forward = v >= 0;
equation
  der(x) = v;
  der(v) = u - (if forward then 1 else -1);
  when sample(2, 2) then
    u = if time < 3 then 3 else -3;
  end when;
end FrictionReleased;
