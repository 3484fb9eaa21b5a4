// compile: model=Constraints.M
package Constraints "Redeclarations stay within their constraining class"
  model Small
    Real a = 1;
  end Small;
  model Large
    Real a = 1;
    Real b = 2;
  end Large;
  model Whole
    replaceable Large part constrainedby Large;
    final parameter Real k = 1;
    replaceable constant Real c = 1;
  end Whole;
  model M
    Whole one(redeclare Small part); //~ error[not-a-subtype] has no fitting `b`
    Whole two(k = 2); //~ error[final-modified] final
    Whole three(redeclare Real c = 2); //~ error[constant-redeclared] `c`
  end M;
end Constraints;
