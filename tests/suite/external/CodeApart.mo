// run: stop=1 model=CodeApart.M external=c ; check: y(1)=3±1e-12
package CodeApart "Code that contradicts that of another function is compiled by itself"
  function one "Another function has the same name in C"
    input Real x;
    output Real y;
    external "C" y = same(x) annotation(Include = "double same(double x) { return x; }");
  end one;
  function two
    input Real x;
    output Real y;
    external "C" y = same(x) annotation(Include = "double same(double x) { return 2*x; }");
  end two;
  model M
    Real y = one(time) + two(time);
  end M;
end CodeApart;
