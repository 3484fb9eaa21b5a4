// compile:
// A parameter that depends on what moves.
model MovingParameter
  Real x = time;
  parameter Real p = 2*x; //~ error[too-variable] varies more
  Real y = p;
end MovingParameter;
