// run: stop=1 model=ObjectNothing.M external=c
package ObjectNothing "A constructor that gives no object has failed (MLS 12.9.7)"
  class Store
    extends ExternalObject;
    function constructor
      input Real start;
      input String name;
      output Store store;
      external "C" store = store_open(start, name) annotation(Include = "#include \"store.h\""); //~ error[function-failed] gave no external object
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
  model M
    parameter Store store = Store(-1, "none");
    Real y = read(store, time);
  end M;
end ObjectNothing;
