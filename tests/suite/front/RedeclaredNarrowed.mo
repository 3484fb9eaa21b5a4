// compile: model=RedeclaredNarrowed.M
package RedeclaredNarrowed "A constraining class of a redeclaration holds for the redeclarations after it (MLS 7.3.2)"
  class Small
    Real a = 1;
  end Small;
  class Large
    Real a = 1;
    Real b = 2;
  end Large;
  class Free
    replaceable class X = Small;
  end Free;
  class Narrow
    extends Free(replaceable class X = Large constrainedby Large);
  end Narrow;
  class Wrong
    extends Narrow(redeclare class X = Small); //~ error[not-a-subtype] must be a
  end Wrong;
  model M
    Wrong w;
  end M;
end RedeclaredNarrowed;
