// run: stop=1 model=TableMalformed.M
package TableMalformed "A number of a table is none"
  class Table
    extends ExternalObject;
    function constructor
      input String tableName;
      input String fileName;
      output Table table;
      external "C" table = ModelicaStandardTables_CombiTable1D_init2(fileName, tableName, zeros(0, 2), 0, 2, {2}, 1, 1, 2, false);
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
    parameter Table table = Table("wrong", "modelica://TableMalformed/text.txt"); //~ error[function-failed] line 10: expected a number, found "two"
    Real y = value(table, time);
  end M;
end TableMalformed;
