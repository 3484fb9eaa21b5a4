// run: stop=1 model=InnerOuter.M ; check: top.low.seen(end)=7±0 ; check: top.low.bottom.seen(end)=8±0 ; check: f.d.y(end)=2±0 ; check: e.d.y(end)=1±0
// compile: model=InnerOuter.M ; print: flat
package InnerOuter "Outer components and classes, and `inner outer` ones, which are two"
  model World
    parameter Real g = 1;
  end World;
  model Bottom
    outer World world;
    Real seen = world.g;
  end Bottom;
  model Middle
    inner outer World world(g = 8);
    Real seen = world.g;
    Bottom bottom;
  end Middle;
  model Top
    inner World world(g = 7);
    Middle low;
  end Top;

  partial function Any
    input Integer u;
    output Integer y;
  end Any;
  function Same
    extends Any;
  algorithm
    y := u;
  end Same;
  function Next
    extends Any;
  algorithm
    y := u + 1;
  end Next;
  model D
    outer function g = Any;
    Integer y = g(1);
  end D;
  model E
    inner function g = Same;
    D d;
  end E;
  model F
    inner function g = Next;
    D d;
  end F;

  model M
    Top top;
    E e;
    F f;
  end M;
end InnerOuter;
