// run: stop=5
// The events come together at 4 s, with both tanks at 1: the inlet gives 1.5 and the tanks lose 2, so nothing keeps both of them there.
model TanksInTurn "An inlet fills two tanks in turn, and they lose more than it gives"
  Real h1(start=2, fixed=true), h2(start=2, fixed=true);
  Boolean first(start=true, fixed=true);
equation
  der(h1) = (if first then 1.5 else 0) - 1;
  der(h2) = (if first then 0 else 1.5) - 1;
  when h2 <= 1 then
    first = false; //~ error[zeno-without-end] accumulate at time 4
  elsewhen h1 <= 1 then
    first = true;
  end when;
end TanksInTurn;
