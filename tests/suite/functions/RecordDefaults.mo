// run: stop=1 model=RecordDefaults.RecordDefaults ; check: y(1)=4208506±1e-9 ; check: z(0)=6541±1e-9 ; check: u(1)=33±1e-12
package RecordDefaults "Local records of functions hold what their classes and declarations say"
  record Base
    parameter Integer n = 5;
    parameter Real a[n];
  end Base;
  record Given
    extends Base(final a = {1, 2, 3, 4, 5});
  end Given;
  record Own
    parameter Integer n = 3;
    parameter Real a[n] = {7, 8, 9};
    constant Real b = 4;
  end Own;
  record Half
    Real x = 1;
    Real y;
  end Half;
  record Pair
    Half left;
    Half right(x = 5, y = 4);
    Real sum = right.x + right.y;
  end Pair;
  function weigh "3 x + 5 hundreds + 8 thousands + 2 e5 + 4 e6"
    input Real x;
    output Real y;
  protected
    Given given;
    Own own;
    Own other(a = {1, 2, 3});
  algorithm
    y := x*given.a[3] + given.n*100 + 1000*own.a[2] + other.a[2]*1e5 + own.b*1e6;
  end weigh;
  function nest "Left keeps 1 and gets nothing else, right has 4 and 5 or 6"
    output Real z;
  protected
    Pair pair(right(x = 6));
    Half many[2];
  algorithm
    z := pair.left.x + 1000*pair.right.x + 10*pair.right.y + pair.left.y + 500*many[2].x;
  end nest;
  function fill "An output begins with its values, too"
    input Real x;
    output Half half;
  algorithm
    half.y := 32*x;
  end fill;
  model RecordDefaults
    Real y = weigh(1 + time);
    Real z = nest();
    Half half = fill(time);
    Real u = half.x + half.y;
  end RecordDefaults;
end RecordDefaults;
