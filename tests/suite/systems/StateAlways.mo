// run: stop=1 tolerance=1e-9 ; check: b(end)=0.18393972058572117±1e-7
model StateAlways "Only one of two coupled variables can be a state, whatever both ask for"
  Real a(start = 1, fixed = true, stateSelect = StateSelect.always);
  Real b(stateSelect = StateSelect.always); //~ warning[state-selection] other states determine it
equation
  a = 2*b;
  der(a) = -a;
end StateAlways;
