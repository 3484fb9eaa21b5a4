// run: stop=5 model=TerminateAtStart.Bare ; check: n(0)=1 ; check: last(0)=0±0
// run: stop=5 model=TerminateAtStart.Behind ; check: n(0)=1 ; check: last(0)=0±0
// run: stop=5 model=TerminateAtStart.Statement ; check: n(0)=1 ; check: last(0)=0±0
// run: stop=5 model=TerminateAtStart.Behind set=limit=10 ; check: n(5)=1 ; check: last(5)=5±0
package TerminateAtStart "A run that ends as it begins still has its terminal event"
  partial model Counted
    Integer n(start = 0, fixed = true);
    discrete Real last(start = -1, fixed = true);
  equation
    when terminal() then
      n = pre(n) + 1;
      last = time;
    end when;
  end Counted;

  model Bare
    extends Counted;
  equation
    when initial() then
      terminate("at once");
    end when;
  end Bare;

  model Behind "What decides is known only when the start is solved"
    extends Counted;
    parameter Real limit = 2;
    Real x(start = 3, fixed = true);
  equation
    der(x) = 1;
    when {initial(), time > 100} then
      if x > limit then
        terminate("beyond the limit");
      end if;
    end when;
  end Behind;

  model Statement
    extends Counted;
  algorithm
    when initial() then
      terminate("at once");
    end when;
  end Statement;
end TerminateAtStart;
