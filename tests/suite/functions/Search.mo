// run: stop=4 ; check: y(0.5)=0.5±1e-12 ; check: y(2.5)=6.5±1e-12 ; check: y(3.5)=12.5±1e-12 ; check: w(3.5)=4 ; check: m(1)=7±1e-12
model Search "Positions that only the run knows, in vectors and in a matrix"
  function interpolate "Between the points of t^2, found by bisection"
    input Real t;
    output Real y;
    output Integer at;
  protected
    constant Real xs[:] = {0, 1, 2, 3, 4};
    Real ys[5];
    Integer low = 1, high = size(xs, 1), middle;
  algorithm
    for i in 1:5 loop
      ys[i] := xs[i]^2;
    end for;
    while high - low > 1 loop
      middle := integer((low + high)/2);
      if xs[middle] <= t then
        low := middle;
      else
        high := middle;
      end if;
    end while;
    at := low;
    y := ys[low] + (ys[high] - ys[low])*(t - xs[low])/(xs[high] - xs[low]);
  end interpolate;
  function bump "Writes where it is told"
    input Integer i, j;
    input Real by;
    output Real total;
  protected
    Real a[2, 3] = {{1, 1, 1}, {1, 1, 1}};
  algorithm
    a[i, j] := a[i, j] + by;
    total := sum(a);
  end bump;
  Real y;
  Integer w "Not held between events: nothing marks when it changes";
  Real m = bump(if time > 2 then 1 else 2, 3, 1);
equation
  (y, w) = interpolate(time);
end Search;
