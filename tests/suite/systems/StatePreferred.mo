// run: stop=3 tolerance=1e-8 ; check: T(end)=1.5±1e-6 ; check: U(end)=9±1e-5 ; print: causal
model StatePreferred "A variable that does not appear differentiated becomes a state where the model prefers it"
  Real T(start = 3, fixed = true, stateSelect = StateSelect.prefer);
  Real U, m(start = 1, fixed = true);
equation
  der(m) = 1;
  der(U) = 0;
  U = m*T^2;
end StatePreferred;
