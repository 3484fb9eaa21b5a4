// run: stop=1 ; check: f(1)=55 ; check: g(1)=6 ; check: deep(1)=2000±1e-9
model Recursion "Functions that call themselves, also deeper than numeric code goes"
  function fibonacci
    input Integer n;
    output Integer f;
  algorithm
    if n < 3 then
      f := 1;
      return;
    end if;
    f := fibonacci(n - 1) + fibonacci(n - 2);
  end fibonacci;
  function divisor
    input Integer a, b;
    output Integer g;
  algorithm
    g := if b == 0 then a else divisor(b, mod(a, b));
  end divisor;
  function down
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    y := if n > 0 then down(x, n - 1) + 10*x else 0;
  end down;
  Integer f = fibonacci(integer(time) + 9);
  Integer g = divisor(54, if time > 0.5 then 24 else 27);
  Real deep = down(time, 200);
end Recursion;
