// run: stop=2 model=TableFromCode.M external=c ; check: y(0.5)=1±1e-12 ; check: y(2)=5±1e-12 ; check: z(2)=5±1e-12
package TableFromCode "A table without a file is the one that `usertab` gives, as the standard library's tables have it"
  class Table
    extends ExternalObject;
    function constructor
      input String tableName;
      output Table table;
      external "C" table = ModelicaStandardTables_CombiTable1D_init2("NoName", tableName, zeros(0, 2), 0, 2, {2}, 1, 1, 2, false);
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

  impure function bring "Brings the code that has the tables, which say `usertab`"
    input Real u;
    output Real y;
    external "C" y = bring(u) annotation(Include = "#include \"given_tables.h\"
double bring(double u) { return u; } /* beside usertab */");
  end bring;

  model M
    parameter Table rows = Table("rows");
    parameter Table columns = Table("columns");
    parameter Real brought(fixed = false);
    Real y = value(rows, time);
    Real z = value(columns, time);
  initial equation
    brought = bring(1);
  end M;

end TableFromCode;
