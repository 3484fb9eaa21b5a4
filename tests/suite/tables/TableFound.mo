// run: stop=1 model=TableFound.M ; check: y(0.5)=11±1e-12 ; check: low(1)=0 ; check: high(1)=20±1e-12
package TableFound "An external object that is made of a parameter which the initial problem finds (MLS 12.9.7)"
  class Table
    extends ExternalObject;
    function constructor
      input Real data[:, :];
      output Table table;
      external "C" table = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", data, size(data, 1), size(data, 2), {2}, 1, 1, 2, false);
    end constructor;
    function destructor
      input Table table;
      external "C" ModelicaStandardTables_CombiTable1D_close(table);
    end destructor;
  end Table;

  function value
    input Table table;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, 1, u);
  end value;

  model M
    parameter Real s(fixed = false), t = 2*s;
    parameter Table table = Table([0, 0; 1, t]);
    parameter Real half = value(table, 0.5);
    Real y = value(table, 0.5*time) + 6;
    Real low = value(table, 0), high = 2*half;
  initial equation
    s = 10 + time;
  end M;
end TableFound;
