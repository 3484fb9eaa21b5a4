// run: stop=3
model Undefined "A division by zero in numeric code is told where it stands"
  function share
    input Real x;
    output Real y;
  algorithm
    y := 1;
    for i in 1:3 loop
      y := y/(2 - x*x - 2*i); //~ error[function-failed] division by zero: 1 / 0
    end for;
  end share;
  Real x(start = 0, fixed = true), y = share(x) + 1;
equation
  der(x) = y;
end Undefined;
