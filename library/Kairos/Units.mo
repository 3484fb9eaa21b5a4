within Kairos;
package Units "Physical quantities with their units"
  type Time = Real(final quantity="Time", final unit="s") "Time"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="s")}),
      Documentation(info="<html><p>A point in time or a duration.</p></html>"));
  type Frequency = Real(final quantity="Frequency", final unit="Hz") "Cycles per second"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="Hz")}),
      Documentation(info="<html><p>Cycles per second, in Hz.</p></html>"));
  type Angle = Real(final quantity="Angle", final unit="rad") "Angle"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="rad")}),
      Documentation(info="<html><p>Angle, in rad.</p></html>"));
  type AngularVelocity = Real(final quantity="AngularVelocity", final unit="rad/s")
    "Angular velocity"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="rad/s")}),
      Documentation(info="<html><p>Angular velocity, in rad/s.</p></html>"));
  type AngularAcceleration = Real(final quantity="AngularAcceleration", final unit="rad/s2")
    "Angular acceleration"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="rad/s2")}),
      Documentation(info="<html><p>Angular acceleration, in rad/s2.</p></html>"));
  type Length = Real(final quantity="Length", final unit="m") "Length or position"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="m")}),
      Documentation(info="<html><p>Length or position, in m.</p></html>"));
  type Area = Real(final quantity="Area", final unit="m2", min=0) "Area"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="m2")}),
      Documentation(info="<html><p>Area, in m2.</p></html>"));
  type Volume = Real(final quantity="Volume", final unit="m3") "Volume"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="m3")}),
      Documentation(info="<html><p>Volume, in m3.</p></html>"));
  type Velocity = Real(final quantity="Velocity", final unit="m/s") "Velocity"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="m/s")}),
      Documentation(info="<html><p>Velocity, in m/s.</p></html>"));
  type Acceleration = Real(final quantity="Acceleration", final unit="m/s2") "Acceleration"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="m/s2")}),
      Documentation(info="<html><p>Acceleration, in m/s2.</p></html>"));
  type Mass = Real(final quantity="Mass", final unit="kg", min=0) "Mass"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="kg")}),
      Documentation(info="<html><p>Mass, in kg.</p></html>"));
  type MomentOfInertia = Real(final quantity="MomentOfInertia", final unit="kg.m2", min=0)
    "Moment of inertia"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="kg.m2")}),
      Documentation(info="<html><p>Moment of inertia, in kg.m2.</p></html>"));
  type Force = Real(final quantity="Force", final unit="N") "Force"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="N")}),
      Documentation(info="<html><p>Force, in N.</p></html>"));
  type Torque = Real(final quantity="Torque", final unit="N.m") "Torque"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="N.m")}),
      Documentation(info="<html><p>Torque, in N.m.</p></html>"));
  type Impulse = Real(final quantity="Impulse", final unit="N.s") "Impulse"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="N.s")}),
      Documentation(info="<html><p>Impulse, in N.s.</p></html>"));
  type SpringStiffness = Real(final quantity="TranslationalSpringConstant", final unit="N/m", min=0)
    "Stiffness of a spring"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="N/m")}),
      Documentation(info="<html><p>Stiffness of a spring, in N/m.</p></html>"));
  type DampingConstant = Real(
    final quantity="TranslationalDampingConstant",
    final unit="N.s/m",
    min=0) "Constant of a damper"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="N.s/m")}),
      Documentation(info="<html><p>Constant of a damper, in N.s/m.</p></html>"));
  type RotationalStiffness = Real(
    final quantity="RotationalSpringConstant",
    final unit="N.m/rad",
    min=0) "Stiffness of a torsional spring"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="N.m/rad")}),
      Documentation(info="<html><p>Stiffness of a torsional spring, in N.m/rad.</p></html>"));
  type RotationalDamping = Real(
    final quantity="RotationalDampingConstant",
    final unit="N.m.s/rad",
    min=0) "Constant of a torsional damper"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="N.m.s/rad")}),
      Documentation(info="<html><p>Constant of a torsional damper, in N.m.s/rad.</p></html>"));
  type Energy = Real(final quantity="Energy", final unit="J") "Energy"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="J")}),
      Documentation(info="<html><p>Energy, in J.</p></html>"));
  type Power = Real(final quantity="Power", final unit="W") "Power"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="W")}),
      Documentation(info="<html><p>Power, in W.</p></html>"));
  type Voltage = Real(final quantity="ElectricPotential", final unit="V") "Voltage or potential"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="V")}),
      Documentation(info="<html><p>Voltage or potential, in V.</p></html>"));
  type Current = Real(final quantity="ElectricCurrent", final unit="A") "Current"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="A")}),
      Documentation(info="<html><p>Current, in A.</p></html>"));
  type Charge = Real(final quantity="ElectricCharge", final unit="C") "Charge"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="C")}),
      Documentation(info="<html><p>Charge, in C.</p></html>"));
  type Resistance = Real(final quantity="Resistance", final unit="Ohm", min=0) "Resistance"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="Ohm")}),
      Documentation(info="<html><p>Resistance, in Ohm.</p></html>"));
  type Conductance = Real(final quantity="Conductance", final unit="S", min=0) "Conductance"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="S")}),
      Documentation(info="<html><p>Conductance, in S.</p></html>"));
  type Capacitance = Real(final quantity="Capacitance", final unit="F", min=0) "Capacitance"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="F")}),
      Documentation(info="<html><p>Capacitance, in F.</p></html>"));
  type Inductance = Real(final quantity="Inductance", final unit="H") "Inductance"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="H")}),
      Documentation(info="<html><p>Inductance, in H.</p></html>"));
  type ElectromotiveConstant = Real(final quantity="ElectromotiveConstant", final unit="N.m/A")
    "Torque for each ampere, volts for each rad/s"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="N.m/A")}),
      Documentation(
        info="<html><p>Torque for each ampere, volts for each rad/s, in N.m/A.</p></html>"));
  type Pressure = Real(final quantity="Pressure", final unit="Pa") "Pressure"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="Pa")}),
      Documentation(info="<html><p>Pressure, in Pa.</p></html>"));
  type VolumeFlowRate = Real(final quantity="VolumeFlowRate", final unit="m3/s") "Volume flow rate"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="m3/s")}),
      Documentation(info="<html><p>Volume flow rate, in m3/s.</p></html>"));
  type HydraulicResistance = Real(final quantity="HydraulicResistance", final unit="Pa.s/m3", min=0)
    "Pressure drop for each unit of flow"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="Pa.s/m3")}),
      Documentation(info="<html><p>Pressure drop for each unit of flow, in Pa.s/m3.</p></html>"));
  type HydraulicCompliance = Real(final quantity="HydraulicCompliance", final unit="m3/Pa", min=0)
    "Volume for each unit of pressure"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="m3/Pa")}),
      Documentation(info="<html><p>Volume for each unit of pressure, in m3/Pa.</p></html>"));
  type HydraulicInertance = Real(final quantity="HydraulicInertance", final unit="kg/m4", min=0)
    "Pressure for each unit of change of flow"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="kg/m4")}),
      Documentation(
        info="<html><p>Pressure for each unit of change of flow, in kg/m4.</p></html>"));
  type Density = Real(final quantity="Density", final unit="kg/m3", min=0) "Density"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="kg/m3")}),
      Documentation(info="<html><p>Density, in kg/m3.</p></html>"));
  type Temperature = Real(final quantity="ThermodynamicTemperature", final unit="K", min=0)
    "Absolute temperature"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="K")}),
      Documentation(info="<html><p>Absolute temperature, in K.</p></html>"));
  type TemperatureDifference = Real(final quantity="TemperatureDifference", final unit="K")
    "Difference of temperatures"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="K")}),
      Documentation(info="<html><p>Difference of temperatures, in K.</p></html>"));
  type HeatFlowRate = Real(final quantity="Power", final unit="W") "Heat flow rate"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="W")}),
      Documentation(info="<html><p>Heat flow rate, in W.</p></html>"));
  type HeatCapacity = Real(final quantity="HeatCapacity", final unit="J/K", min=0) "Heat capacity"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="J/K")}),
      Documentation(info="<html><p>Heat capacity, in J/K.</p></html>"));
  type ThermalConductance = Real(final quantity="ThermalConductance", final unit="W/K", min=0)
    "Thermal conductance"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="W/K")}),
      Documentation(info="<html><p>Thermal conductance, in W/K.</p></html>"));
  type Efficiency = Real(final quantity="Efficiency", final unit="1", min=0, max=1)
    "Ratio of power out to power in"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="1")}),
      Documentation(info="<html><p>Ratio of power out to power in, in 1.</p></html>"));
  type Restitution = Real(final quantity="Restitution", final unit="1", min=0, max=1)
    "Ratio of the speeds of separation and approach"
    annotation(
      Icon(graphics={Text(extent={{-100, -60}, {100, 60}}, textString="1")}),
      Documentation(
        info="<html><p>Ratio of the speeds of separation and approach, in 1.</p></html>"));
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={60, 60, 60},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-80, -60}, {80, 60}}, textString="SI", textColor={60, 60, 60})}),
    Documentation(info="<html><p>Types for variables and parameters, all in SI units. Limits are those that hold for every use of the quantity.</p></html>"));
end Units;
