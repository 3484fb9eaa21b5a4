// compile
model Results
  function halves
    input Real u;
    output Real first = u/2;
    output Integer second = 2;
  algorithm
  end halves;
  function inside
    input Real u;
    output Real y;
  protected
    Boolean b;
  algorithm
    (y, b) := halves(u); //~ error[assignment-types] a value of type Integer cannot be assigned to Boolean
  end inside;
  Real a, b, c;
  Real d, e;
equation
  (a, b, c) = halves(1); //~ error[too-many-results] 3 values are asked for, and the call gives 2
  d = inside(2);
  (, e) = spatialDistribution(1, 0, time, 1.0); //~ error[argument-type] must be Boolean
end Results;
