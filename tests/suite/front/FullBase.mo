// compile: model=FullBase.M
package FullBase "A record with contents is no base of a package (MLS 7.1.3)"
  record Inner
    constant Real k = 4;
  end Inner;
  record Full
    extends Inner;
  end Full;
  package Data
    extends Full; //~ error[base-kind] the package `Data`
  end Data;
  model M
    Real y = Data.k*time;
  end M;
end FullBase;
