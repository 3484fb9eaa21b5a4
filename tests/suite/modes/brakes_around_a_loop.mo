// run: model=brakes_around_a_loop stop=3 tolerance=1e-9 ; check: j1.w(0.65)=0.29147997±0.0001 ; check: j2.w(0.65)=0.29178973±0.0001 ; check: j3.w(0.65)=0.33796287±0.0001 ; check: j4.w(0.65)=1.19079157±0.0001 ; check: j1.w(1.45)=-0.48713895±0.0001 ; check: j2.w(1.45)=-0.25717076±0.0001 ; check: j3.w(1.45)=0.12224035±0.0001 ; check: j4.w(1.45)=1.91450095±0.0001 ; check: j1.w(2.35)=0.0±0.0001 ; check: j2.w(2.35)=0.0±0.0001 ; check: j3.w(2.35)=0.0±0.0001 ; check: j4.w(2.35)=0.6490843±0.0001 ; check: j1.w(3)=0.0±0.0001 ; check: j2.w(3)=0.0±0.0001 ; check: j3.w(3)=-0.16960076±0.0001 ; check: j4.w(3)=-1.07246694±0.0001
// The numbers are of implicit time stepping with steps of 1e-4 and 5e-5, extrapolated; impulses of friction by projected Gauss-Seidel iteration.
// Two brakes and a clutch between the braked bodies: what all of them bear at rest is not unique. Each element has its four
// relations of the usual state machine for friction, sixteen in all.
connector Flange
  Real phi;
  flow Real tau;
end Flange;

model Inertia
  Flange f;
  parameter Real J;
  input Real torque;
  Real phi(start = 0, fixed = true), w(fixed = true);
equation
  f.phi = phi;
  w = der(phi);
  J*der(w) = f.tau + torque;
end Inertia;

model Ground
  Flange f;
equation
  f.phi = 0;
end Ground;

model Spring
  Flange f1, f2;
  parameter Real c;
equation
  f1.tau = c*(f1.phi - f2.phi);
  f2.tau = -f1.tau;
end Spring;

model Friction
  Flange f1, f2;
  input Real most;
  parameter Real peak = 1;
  Real phi, w, a, s, tau;
  Boolean ahead(start = false, fixed = true), back(start = false, fixed = true), locked;
  Integer mode(start = 3, fixed = true) "1 forward, 0 stuck, -1 backward, 3 not yet known";
equation
  phi = f1.phi - f2.phi;
  w = der(phi);
  a = der(w);
  f1.tau = tau;
  f2.tau = -tau;
  ahead = pre(mode) == 0 and (s > peak*most or pre(ahead) and s > most) or initial() and w > 0;
  back = pre(mode) == 0 and (s < -peak*most or pre(back) and s < -most) or initial() and w < 0;
  locked = not (pre(mode) == 1 or ahead or pre(mode) == -1 or back);
  a = if locked then 0 else if ahead then s - peak*most else if back then s + peak*most else if pre(mode) == 1 then s - peak*most else s + peak*most;
  tau = if locked then s else if ahead then most else if back then -most else if pre(mode) == 1 then most else -most;
  mode = if (pre(mode) == 1 or ahead) and w > 0 then 1 else if (pre(mode) == -1 or back) and w < 0 then -1 else 0;
end Friction;

model brakes_around_a_loop
  Ground ground;
  Inertia j1(J = 0.991, w(start = -0.054), torque = 0.439 + 2.856*sin(2.483*time + 0.61));
  Inertia j2(J = 1.703, w(start = 1.793), torque = 1.765*sin(1.587*time + 2.311));
  Inertia j3(J = 1.793, w(start = 0.692), torque = 1.914*sin(2.441*time + 4.175));
  Inertia j4(J = 1.061, w(start = -0.385), torque = 2.916*sin(1.067*time + 1.675));
  Friction b1(most = 2.26*(1 + 0.173*sin(3.543*time)));
  Friction b2(most = 2.4);
  Friction b3(most = if time < 1.65 then 1.748 else 2.337);
  Friction b4(most = 1.197);
  Spring s(c = 15.123);
equation
  connect(b1.f1, j1.f);
  connect(b1.f2, ground.f);
  connect(b2.f1, j2.f);
  connect(b2.f2, j1.f);
  connect(b3.f1, j2.f);
  connect(b3.f2, ground.f);
  connect(b4.f1, j3.f);
  connect(b4.f2, j2.f);
  connect(s.f1, j1.f);
  connect(s.f2, ground.f);
end brakes_around_a_loop;
