// run: model=ImportedLiterals.M ; check: x(end)=2 ; check: y(end)=3
// Literals of enumerations can be imported by name, with another name and in lists.
package ImportedLiterals
  type Start = enumeration(Free, Fixed, Steady);
  model Part
    type Kind = enumeration(One, Two);
    parameter Kind kind = Kind.One;
    Real x = Integer(kind);
  end Part;
  model M
    import ImportedLiterals.Part.Kind.Two;
    import Other = ImportedLiterals.Start.Fixed;
    import ImportedLiterals.Start.{Free, Steady};
    Part part(kind = Two);
    Real x = part.x;
    parameter Start s = Steady;
    Real y = if s == Other or s == Free then 0 else Integer(s);
    annotation(experiment(StopTime = 1));
  end M;
end ImportedLiterals;
