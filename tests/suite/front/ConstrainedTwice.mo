// run: stop=1 ; check: a.y(1)=5±1e-12 ; check: b.y(1)=2±1e-12 ; check: b.z(1)=3±1e-12 ; check: c.y(1)=400±1e-12 ; check: d.y(1)=100±1e-12 ; check: e.y(1)=7±1e-12 ; check: f.y(1)=5±1e-12
// compile: ; print: flat
model ConstrainedTwice "What a declaration says outweighs what its constraining clause says (MLS 7.3.2)"
  package Five
    constant Real value = 5;
  end Five;
  package Six
    constant Real value = 6;
  end Six;
  model Reader
    replaceable package Medium = Six;
    parameter Real p = 0;
    parameter Real q = 0;
    Real y = Medium.value;
  end Reader;
  // Both name the package: the declaration's counts, though neither is replaceable.
  model A
    replaceable Reader part(redeclare package Medium = Five) constrainedby Reader(redeclare package Medium = Six);
    Real y = part.y;
  end A;
  model B
    replaceable model Part = Reader(p = 2) constrainedby Reader(p = 1, q = 3);
    Part part;
    Real y = part.p;
    Real z = part.q;
  end B;
  // The example of MLS 7.3.2: R is kept from the first declaration, T0 of the one between is not, nor is its type a limit.
  model Resistor
    parameter Real R;
    Real y = R;
  end Resistor;
  model ThermoResistor
    extends Resistor(y = R + T0);
    parameter Real T0 = 0;
  end ThermoResistor;
  model Circuit
    replaceable model NonlinearResistor = Resistor(R = 100);
    NonlinearResistor part;
    Real y = part.y;
  end Circuit;
  model Circuit2
    extends Circuit(redeclare replaceable model NonlinearResistor = ThermoResistor(T0 = 300));
  end Circuit2;
  model Circuit3
    extends Circuit2(redeclare replaceable model NonlinearResistor = Resistor);
  end Circuit3;
  // The same type may be declared again without being replaceable (MLS 7.3.4).
  model Sum
    Reader part(p = 1);
    Real y = part.p;
  end Sum;
  model FiveReader
    extends Reader(redeclare package Medium = Five);
  end FiveReader;
  A a;
  B b;
  FiveReader f(redeclare package Medium = Five);
  Circuit2 c;
  Circuit3 d;
  Sum e(redeclare Reader part(p = 7));
end ConstrainedTwice;
