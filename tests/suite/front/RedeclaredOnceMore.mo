// run: model=RedeclaredOnceMore.M ; check: y(end)=3
// The function is replaceable first, and the first redeclaration leaves that out (MLS 7.3): media do so, and mean the last one.
package RedeclaredOnceMore
  partial package Base
    replaceable partial function f
      output Real y;
    end f;
  end Base;
  package Middle
    extends Base;
    redeclare function f
      output Real y = 2;
    algorithm
    end f;
  end Middle;
  package Last
    extends Middle;
    redeclare function f
      output Real y = 3;
    algorithm
    end f;
  end Last;
  model M
    Real y = Last.f();
    annotation(experiment(StopTime = 1));
  end M;
end RedeclaredOnceMore;
