// run: stop=2 ; check: a(2)=4 ; check: b(2)=4 ; check: c(1)=2 ; check: d(2)=3
model SampleOfEach "`sample` of each element, with starts that the initial problem finds"
  parameter Real t0(fixed = false);
  parameter Real ts[2] = {0, 0.25};
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Integer d(start = 0, fixed = true);
initial equation
  t0 = floor(time) + 0.5;
equation
  when {sample(t0 + ts[i], 1) for i in 1:2} then
    a = pre(a) + 1;
  end when;
  when {sample(0.5 + ts[i], 1) for i in 1:2} then
    b = pre(b) + 1;
  end when;
  when {sample(0.25*i, 1) for i in 1:2} then
    c = pre(c) + 1;
  end when;
algorithm
  // 0.5, 1.5 and 1: two of them at the same time count once.
  when {sample(0.5, i) for i in {1, 1}} then
    d := pre(d) + 1;
  elsewhen {sample(1, 5*i) for i in 1:2} then
    d := pre(d) + 1;
  end when;
end SampleOfEach;
