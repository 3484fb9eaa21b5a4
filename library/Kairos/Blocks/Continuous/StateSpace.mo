within Kairos.Blocks.Continuous;
block StateSpace "Linear state space"
  parameter Real A[:, size(A, 1)] = [-1] "System matrix";
  parameter Real B[size(A, 1),:] = [1] "Input matrix";
  parameter Real C[:, size(A, 1)] = [1] "Output matrix";
  parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2)) "Direct matrix";
  Interfaces.RealInput u[size(B, 2)] "Inputs"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.RealOutput y[size(C, 1)] "Outputs"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
  Real x[size(A, 1)](each start=0, each fixed=true) "States";
equation
  der(x) = A*x + B*u;
  y = C*x + D*u;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, 0}, {80, 70}}, textString="Ax+Bu", textColor={0, 0, 127}),
      Text(extent={{-80, -70}, {80, 0}}, textString="Cx+Du", textColor={0, 0, 127})}),
    Documentation(info="<html><p>der(x) = A x + B u, y = C x + D u.</p></html>"));
end StateSpace;
