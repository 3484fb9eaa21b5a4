// run:
// A part without its inertia: the warning names the parameter, the error the equation that divides by it.
model InertiaWithoutValue
  model Inertia
    parameter Real J; //~ warning[parameter-without-value] `shaft.J` has no value
    Real w(start=0, fixed=true);
    Real tau;
  equation
    J*der(w) = tau; //~ error[not-finite] `der(shaft.w)`
  end Inertia;
  Inertia shaft;
equation
  shaft.tau = 1;
end InertiaWithoutValue;
