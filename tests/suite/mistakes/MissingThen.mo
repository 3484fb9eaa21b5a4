// compile:
// A condition without `then`: one message, and what follows is understood.
model MissingThen
  discrete Real x(start = 0, fixed = true);
equation
  when time > 0.5
    x = 1; //~ error[unexpected-token] expected `then`
  end when;
end MissingThen;
