within Kairos.Blocks.Discrete;
block StateSpace "Sampled linear state space"
  extends Interfaces.Sampled;
  parameter Real A[:, size(A, 1)] = [0.5] "System matrix";
  parameter Real B[size(A, 1),:] = [1] "Input matrix";
  parameter Real C[:, size(A, 1)] = [1] "Output matrix";
  parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2)) "Direct matrix";
  Interfaces.RealInput u[size(B, 2)] "Inputs"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.RealOutput y[size(C, 1)] "Outputs"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
  discrete Real x[size(A, 1)](each start=0, each fixed=true) "States after the instant";
equation
  when tick then
    x = A*pre(x) + B*u;
    y = C*pre(x) + D*u;
  end when;
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
    Documentation(
      info="<html><p>At every instant y = C x + D u, then x becomes A x + B u.</p></html>"));
end StateSpace;
