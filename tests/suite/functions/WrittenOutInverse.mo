// run: stop=1 ; check: x(1)=0.8414709848078965±1e-12 ; effort: evaluations<=0
model WrittenOutInverse "The inverse of a function is used although the function is written out late (MLS 12.8)"
  function f "Without its inverse this would be a system of one unknown"
    input Real x;
    output Real y;
  algorithm
    y := x + x^3 + x^5;
    annotation(LateInline = true, inverse(x = f_inverse(y)));
  end f;
  function f_inverse "Right only where it is asked: f is not solved by iteration"
    input Real y;
    output Real x;
  algorithm
    x := sin(y);
    annotation(Inline = false);
  end f_inverse;
  Real x;
equation
  time = f(x);
end WrittenOutInverse;
