// compile: model=WhenInPart.M
// run: stop=1 model=WhenInPart.Allowed ; check: p.v(end)=1 ; check: r.v(end)=2
package WhenInPart "A when-equation assigns variables of connectors and records, not of models and blocks around it (MLS 4)"
  model Part
    discrete Real x;
  end Part;
  block Taker
    discrete input Real u;
  end Taker;
  connector Pin
    discrete Real v;
  end Pin;
  record R
    Real v;
  end R;
  model M
    Part part;
    Taker taker;
  equation
    when time > 0.5 then
      part.x = 1; //~ error[when-left-side] cannot determine a variable inside of `part`
      if true then
        taker.u = 2; //~ error[when-left-side] cannot determine a variable inside of `taker`
      end if;
    end when;
  end M;
  model Allowed
    Pin p;
    R r;
  equation
    when time > 0.5 then
      p.v = 1;
      r.v = 2;
    end when;
  end Allowed;
end WhenInPart;
