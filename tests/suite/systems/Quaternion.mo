// run: stop=5 tolerance=1e-9 ; check: norm(end)=1±1e-9 ; check: q[1](end)=-0.8011436155469337±1e-6 ; check: q[4](end)=0.5984721441039564±1e-6
model Quaternion "Rotation about one axis: three of four quaternions are states, never the same ones for long"
  Real q[4](start = {1, 0, 0, 0});
  Real norm = q*q;
initial equation
  q[2] = 0;
  q[3] = 0;
  q[4] = 0;
equation
  q*q = 1;
  0 = 2*(q[1]*der(q[2]) - q[2]*der(q[1]) + q[4]*der(q[3]) - q[3]*der(q[4]));
  0 = 2*(q[1]*der(q[3]) - q[3]*der(q[1]) + q[2]*der(q[4]) - q[4]*der(q[2]));
  1 = 2*(q[1]*der(q[4]) - q[4]*der(q[1]) + q[3]*der(q[2]) - q[2]*der(q[3]));
end Quaternion;
