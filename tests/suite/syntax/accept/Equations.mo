model Equations
  parameter Integer n(min = 1) = 3 "size" annotation(Evaluate = true);
  Real x[n](each start = 1, fixed = {true for i in 1:n}), y = time, z;
  constant Real A[2, 2] = [1, 2; 3, 4];
  discrete output Boolean b(start = false);
  Pin p if n > 1, q[n - 1] if not b;
protected
  inner World world;
  final parameter Real table[:, 2] = {{1, 2}, {3, 4}};
public
  Real w "last";
initial equation
  x = zeros(n);
equation
  der(x[1]) = -2*x[1]^2 + A[1, end] "decay" annotation(Note = "one");
  (y, , z) = f(x, tol = 1e-6);
  connect(p, q[1].pins[2]) annotation(Line(points = {{0, 0}, {10, -10}}));
  if initial() then
    w = 1;
  elseif b and not time > 3 or x[end] <> .5 then
    w = 2;
  else
    w = if y > 0 then 1 elseif y < 0 then -1 else 0;
  end if "three ways";
  for i in 2:n, j loop
    der(x[i]) = sum(x[k]*A[i, k] for k in 1:2:n);
  end for;
  when {time >= 1, sample(0, 0.1)} then
    b = not pre(b);
  elsewhen terminal() then
    reinit(z, 0);
    assert(z > 0, "z must be positive");
  end when;
  Connections.root(p.frame);
  g(function h(u = 1), y);
  [x, x] .* [1, 2] = {1, 2} ./ (x .+ 1) .^ 2 .- x;
  (f(x)).re = (x)[2];
  .Kairos.log(y);
equation
algorithm
  for i in x loop
    y := y + i;
    if i > 3 then
      break;
    end if;
  end for;
  while y < 1 loop
    y := 2*y;
    return;
  end while;
  when b then
    z := 1.;
  elsewhen not b then
    z := 13E0;
  end when;
  (y, z) := f(x);
  der(z) := 1;
  assert(true, "fine") "call";
initial algorithm
  y := pure(f(1));
  annotation(experiment(StopTime = 1, Tolerance = 1e-6), Icon(graphics = {Line(points = {{0, 0}})}));
end Equations;
