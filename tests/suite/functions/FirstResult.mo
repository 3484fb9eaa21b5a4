// run: stop=2 ; check: a(2)=6±1e-12 ; check: b(2)=-2±1e-12 ; check: c(2)=8±1e-12 ; check: d(2)=4±1e-12 ; check: n(2)=3±0
// compile: ; print: flat
model FirstResult "Of several results an expression takes the first (MLS 12.4.3): nested, with subscripts, of any type"
  function both "Sum and difference"
    input Real x;
    input Real y;
    output Real s = x + y;
    output Real d = x - y;
  algorithm
  end both;
  function rows
    input Real x;
    output Real m[2, 2] = {{x, 2*x}, {3*x, 4*x}};
    output Integer info = 0;
  algorithm
  end rows;
  function name
    input Integer k;
    output String text;
    output Boolean known;
  algorithm
    text := if k > 0 then "abc" else "";
    known := k > 0;
  end name;
  function count
    input String text;
    output Integer n;
  algorithm
    n := if text == "abc" then 3 else 0;
  end count;
  Real a = both(both(time, 1), 3), b = 2*both(1, -time), c = (rows(time))[2, 2], d = max({both(time, 2), -both(5, time)});
  Integer n = count(name(integer(time) + 1));
end FirstResult;
