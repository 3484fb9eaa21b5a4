// run: stop=1 model=OtherSizes.Run ; check: y(1)=1±1e-12 ; check: z(1)=1±1e-12
package OtherSizes "A branch of a function for arrays of other sizes fails only if it is taken (MLS 10.5.1)"
  function f
    input Real x;
    input Integer kind;
    output Real y;
  protected
    constant Real table[:, 2] = fill(0.0, 0, 2);
    Real b[size(table, 1), 2] = table;
    Real c[2] = {x, 2*x};
  algorithm
    if kind == 0 then
      y := x;
    else
      y := b[1, 1] + b[2, 1]*x + c[3];
    end if;
  end f;
  model Run
    parameter Integer kind = 0;
    Real y = f(time, kind);
    Real z = f(time, if time > 2 then 1 else 0);
  end Run;
end OtherSizes;
