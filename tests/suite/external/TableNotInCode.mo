// run: stop=2 model=TableNotInCode.Unknown external=c
package TableNotInCode "A table without a file is the one that `usertab` gives, as the standard library's tables have it"
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

  model Unknown
    parameter Table other = Table("other"); //~ error[function-failed] no table "other" of kind 1 here
    parameter Real brought(fixed = false);
    Real y = value(other, time);
  initial equation
    brought = bring(1);
  end Unknown;
end TableNotInCode;
