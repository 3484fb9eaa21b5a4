// run: stop=1 model=ImplicitRanges.M ; check: s(end)=6±1e-12 ; check: x[3](end)=3±1e-12 ; check: y[2,3](end)=6±1e-12 ; check: c(end)=22±1e-12 ; check: z[2](end)=20±1e-12 ; check: p[2].v(end)=4±1e-12
// compile: model=ImplicitRanges.M ; print: flat
package ImplicitRanges "Loops whose range follows from the subscripts (MLS 11.2.2.1)"
  type Color = enumeration(red, green, blue);

  function total
    input Real v[:];
    output Real sum = 0;
  algorithm
    for i loop
      sum := sum + v[i];
    end for;
  end total;

  model Part
    Real v;
  end Part;

  model M
    Real x[3], y[2, 3], z[2];
    Real w[Color];
    Real s = sum(x[i] for i);
    Real c = sum(w[k] for k) + total({1, 10});
    Part p[2];
  equation
    for i loop
      x[i] = i;
    end for;
    for i, j loop
      y[i, j] = i*j;
    end for;
    for k loop
      w[k] = if k == Color.blue then 9 else 1;
    end for;
    for i loop
      p[i].v = 2*i;
    end for;
  algorithm
    for i loop
      z[i] := 10*i;
    end for;
  end M;
end ImplicitRanges;
