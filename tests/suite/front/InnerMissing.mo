// run: stop=1 model=InnerMissing.Inside ; check: part.y(1)=6±1e-12
// run: stop=1 model=InnerMissing.SwitchedOff ; check: y(1)=4±1e-12
// compile: model=InnerMissing.Inside ; print: flat
package InnerMissing "Where outer parts are looked for, and what is added for them (MLS 5.4)"
  model World
    parameter Boolean shown = true;
    parameter Real g = 2;
    Real height;
  equation
    height = 3*g;
  end World;
  model Part
    outer World world;
    Real y = world.height;
  end Part;
  model Inside "Found deep inside: the part that is added has its equations"
    model Shell
      Part part;
      Real y = part.y;
    end Shell;
    Shell part;
  end Inside;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Housing
    Pin a if world.shown;
  protected
    outer World world;
    model Load
      Pin a;
    equation
      a.i = 1;
    end Load;
    Load load if world.shown;
  equation
    connect(load.a, a);
  end Housing;
  model SwitchedOff "A component that is not there asks for no inner part of its own"
    inner World world(shown = false, g = 4/3);
    Housing housing if world.shown;
    Pin a if world.shown;
    Real y = world.height;
  equation
    connect(housing.a, a);
  end SwitchedOff;
end InnerMissing;
