within Kairos.Thermal;
package Interfaces "Connectors and bases of the thermal parts"
  connector HeatPort "Port for heat"
    Units.Temperature T "Temperature";
    flow Units.HeatFlowRate Q_flow "Heat flowing into the part";
    annotation(
      Icon(graphics={Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={191, 0, 0},
        fillColor={191, 0, 0},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Temperature and the heat that flows into the part.</p></html>"));
  end HeatPort;
  partial model Path "Heat flows between two ports"
    HeatPort port_a "First port"
      annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
    HeatPort port_b "Second port"
      annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
    Units.TemperatureDifference dT "Temperature at a less that at b";
    Units.HeatFlowRate Q_flow "Heat from a to b";
  equation
    dT = port_a.T - port_b.T;
    Q_flow = port_a.Q_flow;
    port_a.Q_flow + port_b.Q_flow = 0;
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={191, 0, 0}),
        Line(points={{60, 0}, {100, 0}}, color={191, 0, 0}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the parts that carry heat and store none.</p></html>"));
  end Path;
  partial model Lossy "A part that turns power into heat"
    parameter Boolean useHeatPort = false "Give the losses to a heat port"
      annotation(Evaluate=true);
    parameter Units.Temperature T = 293.15 "Temperature of the part if it has no heat port";
    HeatPort heatPort if useHeatPort "Where the losses go"
      annotation(Placement(transformation(extent={{-10, -110}, {10, -90}})));
    Units.Power lossPower "Power turned into heat";
    Units.Temperature temperature "Temperature of the part";
  protected
    Outlet outlet "Gives the losses away";
    Sources.FixedTemperature ambient(T=T) if not useHeatPort
      "Takes the losses of a part without a heat port";
  equation
    outlet.P = lossPower;
    temperature = outlet.port.T;
    connect(outlet.port, heatPort);
    connect(outlet.port, ambient.port);
    annotation(
      Icon(graphics={Line(points={{0, -100}, {0, -40}}, color={191, 0, 0})}),
      Documentation(info="<html><p>Base of the parts with losses. If useHeatPort is true, the losses flow out of the heat port; otherwise the part has the constant temperature T.</p></html>"));
  end Lossy;
  model Outlet "Gives power away as heat"
    HeatPort port "Port" annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
    input Units.Power P "Power";
  equation
    port.Q_flow = -P;
    annotation(
      Icon(graphics={
        Rectangle(
          extent={{-100, -100}, {100, 100}},
          lineColor={191, 0, 0},
          fillColor={255, 255, 255},
          fillPattern=FillPattern.Solid),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
        Line(points={{-60, 0}, {60, 0}}, color={191, 0, 0})}),
      Documentation(info="<html><p>Inner piece of the parts with losses.</p></html>"));
  end Outlet;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={191, 0, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-30, -30}, {30, 30}},
        lineColor={191, 0, 0},
        fillColor={191, 0, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What thermal parts connect with.</p></html>"));
end Interfaces;
