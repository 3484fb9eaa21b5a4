// run: stop=1 ; check: y0(1)=0 ; check: k(1)=0 ; check: none(1)=0 ; check: m(1)=0 ; check: z(1)=1 ; check: w(1)=2
// compile: ; print: flat
model EmptyParts "An array without elements has the type and the inner sizes of its elements (MLS 10.7)"
  record State
    Real p;
  end State;
  function pressure
    input State s;
    output Real p;
  algorithm
    p := s.p;
  end pressure;
  function warm
    input State s;
    output Boolean b;
  algorithm
    b := s.p > 1;
  end warm;
  function count
    input Boolean b[:];
    output Integer n;
  algorithm
    n := size(b, 1);
  end count;
  connector Port
    Real c[2];
  end Port;
  record Glass
    parameter Real t[:] = {1};
  end Glass;
  record System
    parameter Glass glass[:];
  end System;
  record Wall
    parameter System s;
  end Wall;
  model Room
    parameter Integer n = 0;
    parameter Wall walls[n];
    parameter Integer layers[n] = {size(walls[i].s.glass, 1) for i in 1:n};
    parameter Integer all = sum(layers);
  end Room;
  parameter Integer n = 0;
  State states[n];
  Real p[n] = {pressure(states[i]) for i in 1:n};
  Real q[n] = pressure(states);
  Real y0 = sum(p) + sum(q);
  Integer k = count(warm(states));
  Port ports[n];
  Real x[2] = {1, 2};
  Room room;
  Integer none = room.all, m = size(ports.c, 1);
  parameter Boolean b = false;
  Real T[if b then 3 else 0];
  Integer at = integer(time) + 1;
  Real z;
  Real w = if b then T[1] else 2;
algorithm
  if b then
    z := T[at];
  else
    z := 1;
  end if;
equation
  ports.c = fill(x, n);
  for i in 1:size(T, 1) loop
    T[i] = i;
  end for;
end EmptyParts;
