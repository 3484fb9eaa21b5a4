// run: stop=1 tolerance=1e-8 model=NoCapacitance.NoCapacitance ; check: v(0.5)=0.2474263081740065±1e-7 ; check: i(0.5)=0 ; effort: steps<=0
package NoCapacitance "A device function returns a capacitance that is zero whatever the voltage: then `v` is no state"
  record Device
    Real g;
    Real c;
  end Device;

  function device
    input Real c0;
    input Real v;
    output Device d;
  protected
    Real bias;
  algorithm
    bias := if v > 0 then v else 0;
    d.g := 1 + bias*bias;
    if v > 0.2 then
      d.c := c0*(1 + bias);
    else
      d.c := c0*exp(v);
    end if;
    annotation(Inline = false);
  end device;

  model NoCapacitance
    parameter Real c0 = 0;
    Device d;
    Real v(start = 0), i;
  equation
    d = device(c0, v);
    i = d.c*der(v);
    // At 0.5: 2*v + v^3 + i = 0.51.
    0.51*sin(pi*time) = v + d.g*v + i;
  protected
    constant Real pi = 3.141592653589793;
  end NoCapacitance;
end NoCapacitance;
