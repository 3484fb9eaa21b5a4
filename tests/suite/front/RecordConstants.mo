// run: stop=1 ; check: z1(1)=1 ; check: z2(1)=0 ; check: z3(1)=1 ; check: z4(1)=1 ; check: t4(1)=1 ; check: z5(1)=1 ; check: t5(1)=5 ; check: z6(1)=1 ; check: z7(1)=0
model RecordConstants "A record bound as a whole gives its constants and final parameters as well"
  record Material
    constant Boolean changes = false;
    parameter Real a = 1;
  end Material;
  record Wax
    extends Material(final changes = true);
  end Wax;
  model Layer
    parameter Material m;
    parameter Real z = if m.changes then 1 else 0;
  end Layer;
  model Wall
    parameter Material m;
    Layer layer(m = m);
  end Wall;
  record Melting
    parameter Real low, high;
    final parameter Boolean changes = low < 1000;
    parameter Boolean cold = low < 1000;
  end Melting;
  record Solid
    extends Melting(final low = 9999, final high = 9999);
  end Solid;
  record Soft
    extends Melting(low = 1, high = 2);
  end Soft;
  model Sheet
    replaceable parameter Melting m;
    parameter Boolean b = m.changes;
    Real y = 1 if b;
    parameter Real z = if m.changes and m.cold then 1 else 0;
    parameter Real t = m.low;
  end Sheet;
  parameter Wax wax;
  parameter Material plain;
  parameter Soft soft, softer(low = 5);
  parameter Solid solid;
  Layer l1(m = wax), l2(m = plain);
  Wall w(m = wax);
  Sheet s4(m = soft), s5(m = softer), s7(m = solid);
  Layer l6[2](m = {wax, wax});
  Real z1 = l1.z, z2 = l2.z, z3 = w.layer.z, z4 = s4.z, t4 = s4.t, z5 = s5.z, t5 = s5.t, z6 = l6[2].z, z7 = s7.z;
end RecordConstants;
