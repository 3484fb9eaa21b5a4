within Kairos.Hydraulics;
package Interfaces "Connectors and bases of the hydraulic parts"
  type Level = enumeration(
    Detailed "Turbulent flow, gradual opening, compressible oil",
    PiecewiseLinear "One resistance when open, another when shut; compressible oil",
    Ideal "Open or shut; incompressible oil") "Level of abstraction"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="3")}),
      Documentation(info="<html><p>How much detail a part has.</p></html>"));
  connector Port "Hydraulic port"
    Units.Pressure p "Pressure above that of the tank";
    flow Units.VolumeFlowRate q "Flow into the part";
    annotation(
      Icon(graphics={Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 255},
        fillColor={0, 0, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Pressure and the volume flow into the part.</p></html>"));
  end Port;
  partial model Path "Oil flows through"
    Port port_a "First port" annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
    Port port_b "Second port" annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
    Units.Pressure dp "Pressure at a less that at b";
    Units.VolumeFlowRate q "Flow from a to b";
  equation
    dp = port_a.p - port_b.p;
    q = port_a.q;
    port_a.q + port_b.q = 0;
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 255}),
        Line(points={{60, 0}, {100, 0}}, color={0, 0, 255}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
      Documentation(info="<html><p>Base of the parts that oil flows through.</p></html>"));
  end Path;
  partial model Valve "Valve in three levels of abstraction"
    extends Path;
    parameter Level level = Level.PiecewiseLinear "Level of abstraction" annotation(Evaluate=true);
    parameter Units.HydraulicResistance Ropen = 1e8
      "Resistance of the open valve (piecewise linear)";
    parameter Units.HydraulicResistance Rshut = 1e14
      "Resistance of the shut valve (piecewise linear)";
    parameter Units.VolumeFlowRate qNominal(min=1e-15) = 1e-3
      "Flow of the open valve at the nominal pressure drop (detailed)";
    parameter Units.Pressure dpNominal(min=1e-6) = 1e5 "Nominal pressure drop (detailed)";
    parameter Units.Pressure dpLaminar(min=1e-9) = dpNominal*1e-3
      "Below it the flow is laminar (detailed)";
    parameter Units.VolumeFlowRate qLeak(min=0) = qNominal*1e-6
      "Flow of the shut valve at the nominal pressure drop (detailed)";
    parameter Units.Time T(min=1e-9) = 1e-3 "Time constant of the opening (detailed)";
    Boolean open "Open";
    Real opening(start=0, fixed=level == Level.Detailed, min=0, max=1) "Part of the full opening";
  protected
    Real wanted "Opening that the valve goes to (detailed)";
  equation
    if level == Level.Detailed then
      T*der(opening) = wanted - opening;
      q = (qLeak + (qNominal - qLeak)*opening)*dp/sqrt(dpNominal)/(dp^2 + dpLaminar^2)^0.25;
    else
      opening = if open then 1 else 0;
    end if;
    annotation(
      Icon(graphics={
        Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 255}),
        Line(points={{60, 0}, {100, 0}}, color={0, 0, 255}),
        Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
        Polygon(
          points={{-60, 40}, {0, 0}, {-60, -40}},
          lineColor={0, 0, 255},
          fillColor={0, 0, 255},
          fillPattern=FillPattern.Solid),
        Polygon(
          points={{60, 40}, {0, 0}, {60, -40}},
          lineColor={0, 0, 255},
          fillColor={0, 0, 255},
          fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Base of the valves: what all of them share, and the turbulent orifice of the detailed level.</p></html>"));
  end Valve;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-30, -30}, {30, 30}},
        lineColor={0, 0, 255},
        fillColor={0, 0, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What hydraulic parts connect with.</p></html>"));
end Interfaces;
