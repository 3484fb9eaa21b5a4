// run: stop=1 ; check: y(1)=3 ; check: z(1)=5
model ConditionalUsed "A conditional component that exists may be used from outside of the class that declares it (MLS 4.4.5)"
  model Part
    parameter Boolean has = false;
    output Real x[2] = {1, 2} if has;
    parameter Real p = 5 if has;
  end Part;
  Part part(has = true);
  Real y = part.x[1] + part.x[2];
  Real z = part.p;
end ConditionalUsed;
