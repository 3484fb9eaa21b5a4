// compile:
// `reinit` of a variable without a derivative (MLS 8.3.6). It was lost without a word before.
model ReinitOfAlgebraic
  Real x = 2*time;
equation
  when time > 0.5 then //~ error[reinit-of-no-state] it is no state
    reinit(x, 1);
  end when;
end ReinitOfAlgebraic;
