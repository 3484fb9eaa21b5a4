// run: model=EverQuicker.Twisting stop=13 tolerance=1e-8 ; check: x(6)=0±1e-9 ; check: v(6)=0±1e-9 ; check: x(end)=1.3333333333±1e-4 ; check: v(end)=2±1e-4 ; effort: state_events<=90
// run: model=EverQuicker.Twisting stop=13 tolerance=1e-8 method=bdf ; check: x(6)=0±1e-9 ; check: x(end)=1.3333333333±1e-4
// run: model=EverQuicker.Signs stop=10 ; check: x(end)=0±1e-9 ; check: v(end)=0±1e-9 ; effort: state_events<=90
// run: model=EverQuicker.Sampled stop=10 ; check: x(end)=0±1e-9 ; check: v(end)=0±1e-9 ; effort: state_events<=90
// run: model=EverQuicker.Fuller stop=12 tolerance=1e-8 ; check: x(end)=0±1e-8 ; check: v(end)=0±1e-8 ; check: clock(end)=12±1e-8 ; effort: state_events<=40
package EverQuicker "Switching whose intervals shrink geometrically, without any jump"
  model Twisting "comes to rest where both surfaces meet before t = 5.2"
    // Half a round multiplies v by sqrt((3 - 1)/(3 + 1)). At rest every mode accelerates by one of {-4, -2, 2, 4} plus the
    // disturbance, so that the rest ends where that is 4, at t = 11; then v = (t - 11)^2/2.
    Real x(start=1, fixed=true), v(start=0, fixed=true);
    Boolean right = x > 0, forth = v > 0;
    Real push = if time < 7 then 0 else time - 7;
  equation
    der(x) = v;
    der(v) = (if right then -3 else 3) + (if forth then -1 else 1) + push;
  end Twisting;

  model Signs "the same with four relations on two functions"
    Real x(start=1, fixed=true), v(start=0, fixed=true);
  equation
    der(x) = v;
    der(v) = -3*(if x > 0 then 1 elseif x < 0 then -1 else 0) - (if v > 0 then 1 elseif v < 0 then -1 else 0);
  end Signs;

  model Sampled "and with events at rest that the motion sees: it stays at rest"
    Real x(start=1, fixed=true), v(start=0, fixed=true);
    discrete Real push(start=0, fixed=true);
  equation
    der(x) = v;
    der(v) = -3*(if x > 0 then 1 elseif x < 0 then -1 else 0) - (if v > 0 then 1 elseif v < 0 then -1 else 0) + push;
    when sample(6, 1) then
      push = 0.5 - pre(push);
    end when;
  end Sampled;

  model Fuller "A relay along Fuller's curve: each interval is about a quarter of the last, so that few of them can be seen"
    Real x(start=1, fixed=true), v(start=0, fixed=true), clock(start=0, fixed=true);
  equation
    der(x) = v;
    der(v) = if x + 0.4446235*v*(if v >= 0 then v else -v) > 0 then -1 else 1;
    der(clock) = 1;
  end Fuller;
end EverQuicker;
