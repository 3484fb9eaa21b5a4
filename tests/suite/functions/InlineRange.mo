// run: stop=1 model=InlineRange.M ; check: y(0.2)=1±1e-12 ; check: y(0.5)=3±1e-12 ; check: y(0.7)=9±1e-12 ; check: y(1)=17±1e-12
// compile: model=InlineRange.M ; print: flat
package InlineRange "A function to be inlined whose range ends at a variable stays a call"
  function partial_product
    input Integer i;
    input Real a[i];
    input Real b[i];
    input Integer n;
    output Real y;
  algorithm
    y := a[1:n]*b[1:n];
    annotation(Inline = true);
  end partial_product;
  model M
    discrete Integer n(start = 0, fixed = true);
    discrete Real y(start = 0, fixed = true);
    parameter Real a[4] = {1, 2, 3, 4};
    parameter Real b[4] = {1, 1, 2, 2};
  equation
    when sample(0.1, 0.25) then
      n = pre(n) + 1;
    end when;
    when sample(0.1, 0.25) then
      y = partial_product(4, a, b, n);
    end when;
  end M;
end InlineRange;
