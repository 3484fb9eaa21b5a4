// run: stop=2 ; check: y(0)=1±1e-12 ; check: y(2)=17±1e-9 ; check: z(2)=6±1e-12 ; check: s(2)=55±1e-12 ; check: q(2)=6.66666666666667±1e-6
// compile: ; print: flat
model Loops "Loops over arrays whose size the call gives; a loop that counts down; one that is left"
  function horner "c[1] + c[2] x + c[3] x^2 + …"
    input Real c[:];
    input Real x;
    output Real y;
  algorithm
    y := 0;
    for i in size(c, 1):-1:1 loop
      y := y*x + c[i];
    end for;
  end horner;
  function first "The first number above a limit"
    input Real v[:];
    input Real limit;
    output Real y = -1;
  algorithm
    for x in v loop
      if x > limit then
        y := x;
        break;
      end if;
    end for;
  end first;
  function sum_to "By a loop that is too long to unroll"
    input Integer n;
    output Real s = 0;
  algorithm
    for i in 1:n loop
      s := s + i;
    end for;
  end sum_to;
  Real y = horner({1, 2, 3}, time);
  Real z = first({2, 4, 6, 8}, 2.5*time);
  Real s = sum_to(if time > 1 then 10 else 4);
  Real q(start = 0, fixed = true);
equation
  der(q) = horner({1, 1, 0.5, 1/6 - 1/6, 0}, time) + horner({0, 2/3}, time);
end Loops;
