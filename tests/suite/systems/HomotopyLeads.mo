// run: stop=1 model=HomotopyLeads.Square ; check: y(0)=3±1e-9 ; check: y(end)=3±1e-6
// run: stop=1 model=HomotopyLeads.Cubic ; check: y(0)=3±1e-9
// run: stop=1 model=HomotopyLeads.Wrong ; check: y(0)=-3±1e-9
// compile: model=HomotopyLeads.Square ; print: causal
package HomotopyLeads "Of several solutions that one is taken to which the simplified equations lead, whatever the start value"
  model Square "The roots are 3 and -3; the simplified equation has 2.5"
    Real y(start = -100);
  equation
    homotopy(y^2 - 9, 6*(y - 2.5)) = 0*time;
  end Square;

  model Cubic "The roots are 1, 2 and 3; on the way from 4 only one real root is left of each mixture"
    Real y(start = 0);
  equation
    homotopy((y - 1)*(y - 2)*(y - 3), y - 4) = 0;
  end Cubic;

  model Wrong "Where the simplified equation has no solution the actual one is solved from its start value"
    Real y(start = -4);
  equation
    homotopy(y^2 - 9, y^2 + 1) = 0;
  end Wrong;
end HomotopyLeads;
