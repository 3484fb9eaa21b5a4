// compile: model=WhenInPart.M
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
end WhenInPart;
