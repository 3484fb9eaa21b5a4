// run: stop=1 ; check: y(1)=5±1e-9
// compile: ; print: flat
model LookedUpByName "A function that looks a place up by a name, in every evaluation: the lookup is made once"
  constant String names[3] = {"H2O", "CO2", "O2"};
  function place
    input String name;
    output Integer at = 0;
  algorithm
    for k in 1:size(names, 1) loop
      if names[k] == name then
        at := k;
      end if;
    end for;
  end place;
  function share
    input Real x[3];
    output Real y;
  algorithm
    y := x[place("CO2")] + x[place("O2")];
  end share;
  Real y = share({time, 2*time, 3*time});
end LookedUpByName;
