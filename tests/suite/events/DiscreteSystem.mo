// run: stop=1 ; check: y(1)=0.38554328942953164±1e-9 ; check: z(1)=0.19277164471476582±1e-9 ; check: n(1)=3±1e-12 ; check: s(1)=0.5±1e-12
model DiscreteSystem "Discrete equations between Real numbers are solved together (MLS 8.6)"
  function latch "The time of a signal's rise, or what there was"
    input Boolean before;
    input Boolean now;
    input Real held;
    input Real at;
    output Real result;
  algorithm
    result := if now and not before then at else held;
    annotation (Inline = false);
  end latch;
  parameter Real h = 0.1 "Ten steps of implicit Euler for y' = -y: 1.1^-10";
  discrete Real y(start = 1, fixed = true);
  discrete Real z(start = 0.5, fixed = true);
  discrete Real n(start = 0, fixed = true) "The root of n^2 = n + 6";
  discrete Real s(start = 0, fixed = true);
  discrete Boolean b(start = false, fixed = true);
equation
  when sample(0.1, h) then
    y = pre(y) - 2*h*z;
    z = y/2;
    n = if time > 0.05 then sqrt(n + 6) else 0;
    b = time > 0.45;
    s = latch(pre(b), b, s, time);
  end when;
end DiscreteSystem;
