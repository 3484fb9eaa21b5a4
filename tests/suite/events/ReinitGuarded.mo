// run: stop=2.9 tolerance=1e-9 ; check: v(0.5)=1±1e-9 ; check: v(1.5)=-2±1e-9 ; check: x(2.4)=-2.8±1e-7 ; check: x(2.6)=-2.7±1e-7 ; check: v(2.9)=-2±1e-9 ; check: w(2)=8±1e-7 ; check: n(2)=1
model ReinitGuarded "Each `reinit` acts where the conditions around it hold, and nowhere else"
  Real x(start = -1, fixed = true), v(start = 1, fixed = true), w(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 0;
  der(w) = 1;
  when x >= 0 then
    n = pre(n) + 1;
    if v > 5 then
      reinit(v, 100);
    elseif v > 0 then
      if w > 10 then
        reinit(v, 50);
      else
        reinit(v, -2);
        reinit(w, 7);
      end if;
    else
      reinit(v, 5);
    end if;
    if w > 100 then
      assert(false, "not reached");
      terminate("not reached");
    end if;
  end when;
  when x <= -3 then
    if v > 0 then
      reinit(v, 9);
    end if;
    if v < 0 then
      reinit(x, -2.5);
    end if;
  end when;
end ReinitGuarded;
