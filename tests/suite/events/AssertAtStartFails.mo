// run: stop=1 model=AssertAtStartFails.Equation
package AssertAtStartFails "A demand of an initial section that does not hold"
  model Equation
    Real x(start = 1, fixed = true);
  initial equation
    assert(x > 2, "begins above two"); //~ error[assertion-failed] at time 0: begins above two
  equation
    der(x) = 2;
  end Equation;
end AssertAtStartFails;
