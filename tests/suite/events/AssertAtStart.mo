// run: stop=1 model=AssertAtStart.Holds ; check: x(1)=0±1e-9 ; check: n(1)=1±0
// compile: model=AssertAtStart.Holds ; print: causal
package AssertAtStart "What initial sections and `when initial()` demand is demanded at the start, and only there"
  model Base
    Real x(start = 1, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(x) = -1;
    when x < 0.2 then
      n = pre(n) + 1;
    end when;
  end Base;
  model Holds
    extends Base;
  initial equation
    assert(x > 0.5, "begins above one half");
  initial algorithm
    if x > 0.8 then
      assert(x > 0.9, "begins far above");
    end if;
  equation
    when initial() then
      assert(x > 0.5, "begins above one half");
    end when;
  end Holds;
end AssertAtStart;
