// run: stop=1 tolerance=1e-9 model=ReinitAtStart.Set ; check: x(0)=5±1e-12 ; check: x(end)=1.8393972058572117±1e-6
// run: stop=1 model=ReinitAtStart.Chosen ; check: y(0)=7±1e-12 ; check: y(end)=3.8393972058572117±1e-5
// run: stop=1 model=ReinitAtStart.Steady ; check: y(0)=2±1e-12 ; check: y(end)=2±1e-9
package ReinitAtStart "A `reinit` in `when initial()` is an initial equation (MLS 8.6)"
  model Set
    Real x;
  equation
    der(x) = -x;
    when initial() then
      reinit(x, 5);
    end when;
  end Set;

  model Chosen
    parameter Boolean steady = false;
    Real y;
  initial equation
    if steady then
      der(y) = 0;
    end if;
  equation
    der(y) = 2 - y;
    when {initial(), time > 2} then
      if not steady then
        reinit(y, 7);
      end if;
    end when;
  end Chosen;

  model Steady
    extends Chosen(steady = true);
  end Steady;
end ReinitAtStart;
