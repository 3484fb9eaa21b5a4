// run: stop=1 ; check: lines[1].v(1)=10±1e-9 ; check: lines[2].v(1)=20±1e-9 ; check: same[2].v(1)=7±1e-9
model RedeclaredParts "The value of a redeclaration in an array of components is split among them, as other values are (MLS 7.2.5)"
  record Cable
    parameter Real r = 1;
  end Cable;
  record Thick
    extends Cable;
  end Thick;
  model Line
    replaceable parameter Cable cable;
    Real v = cable.r*time;
  end Line;
  parameter Thick cables[2] = {Thick(r = 10), Thick(r = 20)};
  Line lines[2](redeclare Thick cable = cables);
  Line same[2](redeclare each Thick cable(r = 7));
end RedeclaredParts;
