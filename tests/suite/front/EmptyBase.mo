// run: stop=1 model=EmptyBase.M ; check: y(1)=4±1e-12
// compile: model=EmptyBase.M ; print: flat
package EmptyBase "A class without contents, as an icon, may be the base of every kind of class (MLS 7.1.4)"
  partial record Icon "Empty"
    annotation(Icon(graphics = {Rectangle(extent = {{-1, -1}, {1, 1}})}));
  end Icon;
  record Further
    extends Icon;
  end Further;
  package Data
    extends Further;
    constant Real k = 4;
  end Data;
  model M
    Real y = Data.k*time;
  end M;
end EmptyBase;
