// run: stop=2 ; check: T(0.5)=4±1e-9 ; check: T(end)=2±1e-6 ; check: U(end)=4±1e-9
model PreferredAtJump "Where an event changes what connects them, the variable that is differentiated goes on, not the preferred one"
  Real T(start = 4, fixed = true, stateSelect = StateSelect.prefer);
  Real U;
  discrete Real c(start = 1, fixed = true);
equation
  der(U) = 0;
  U = c*T;
  when time > 1 then
    c = 2;
  end when;
end PreferredAtJump;
