// run:
// A loop in zero time. The variable that goes round is shown with its values.
model EndlessToggle
  Boolean b(start=false); //~ error[zero-time-loop] in a circle
equation
  b = not pre(b);
end EndlessToggle;
