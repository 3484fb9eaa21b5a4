// run: stop=3 ; check: y(1)=1±1e-9
model Fails "The message of a function that runs as numeric code is its own"
  function positive
    input Real x;
    output Real y;
  algorithm
    assert(x < 2, "x is " + String(integer(x)) + ", too much"); //~ error[function-failed] x is 2, too much
    y := sqrt(x);
    for i in 1:3 loop
      y := y + i*x - i*x;
    end for;
  end positive;
  Real x(start = 0, fixed = true), y = positive(x);
equation
  der(x) = 1;
end Fails;
