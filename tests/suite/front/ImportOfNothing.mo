// compile: model=ImportOfNothing.M
package ImportOfNothing "A name that an import does not find is the import's fault (MLS 13.2.1)"
  package Units
  end Units;
  import SI = ImportOfNothing.Units.Missing; //~ error[unknown-member] has no element `Missing`
  model M
    parameter SI.Resistance r = 1; //~ error[missing-library]
  end M;
end ImportOfNothing;
