// run: stop=1 model=Sources.M external=c ; check: y(1)=6±1e-12 ; check: z(1)=-2±1e-12
package Sources "A library that is not compiled yet, whose sources are there (MLS 12.9.4)"
  function tripled
    input Real x;
    output Real y;
    external "C" y = tripled(x) annotation(Library = "tripling");
  end tripled;
  function turned
    input Real x;
    output Real y;
    external "C" y = turned(x)
      annotation(Library = {"tripling"}, Include = "#include \"tripling.h\"",
        SourceDirectory = "modelica://Sources/Resources/Source");
  end turned;
  model M
    Real y = tripled(2*time);
    Real z = turned(2*time);
  end M;
end Sources;
