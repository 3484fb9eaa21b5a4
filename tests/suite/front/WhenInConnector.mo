// run: stop=1 model=WhenInConnector.Allowed ; check: p.v(end)=1 ; check: r.v(end)=2
package WhenInConnector "A when-equation assigns variables of connectors and records, not of models and blocks around it (MLS 4)"
  connector Pin
    discrete Real v;
  end Pin;
  record R
    Real v;
  end R;
  model Allowed
    Pin p;
    R r;
  equation
    when time > 0.5 then
      p.v = 1;
      r.v = 2;
    end when;
  end Allowed;
end WhenInConnector;
