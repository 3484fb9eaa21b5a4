// run: stop=1 model=Objects.M external=c ; check: y(1)=5±1e-12 ; check: living(1)=2 ; check: z(1)=8±1e-12
// run: stop=1 model=Objects.Local external=c ; check: y(1)=4±1e-12 ; check: living(end)=0±4
package Objects "External objects in C code of several annotations, which share what they remember (MLS 12.9.7)"
  class Store
    extends ExternalObject;
    function constructor
      input Real start;
      input String name;
      output Store store;
      external "C" store = store_open(start, name) annotation(Include = "#include \"store.h\"");
    end constructor;
    function destructor
      input Store store;
      external "C" store_close(store) annotation(Include = "#include \"store.h\"\n/* otherwise the same */");
    end destructor;
  end Store;
  function read
    input Store store;
    input Real by;
    output Real y;
    external "C" y = store_read(store, by) annotation(Include = "#include \"store.h\"");
  end read;
  impure function living "How many there are"
    input Real x;
    output Integer n;
    external "C" n = store_living() annotation(Include = "#include \"store.h\"\n");
  end living;
  function through "An object that lives no longer than until the next call at the same place"
    input Real x;
    output Real y;
  protected
    Store store = Store(x, "local");
  algorithm
    y := read(store, 1);
  end through;

  model M
    parameter Store store = Store(4, "first");
    parameter Store other = Store(7, "second");
    Real y = read(store, time);
    Real z = read(other, time);
    discrete Integer living(start = -1, fixed = true);
  equation
    when time > 0.5 then
      living = Objects.living(time);
    end when;
  end M;
  model Local
    Real y = through(3*time);
    discrete Integer living(start = -1, fixed = true);
  equation
    when terminal() then
      living = Objects.living(time);
    end when;
  end Local;
end Objects;
