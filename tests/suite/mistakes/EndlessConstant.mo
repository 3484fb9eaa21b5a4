// compile:
// A constant of a loop without end: the message names the constant.
model EndlessConstant
  function count
    output Real n;
  algorithm
    n := 0;
    while true loop
      n := n + 1;
    end while;
  end count;
  constant Real c = count(); //~ error[evaluation-failed] the constant `c` cannot be computed
  Real x = c*time;
end EndlessConstant;
