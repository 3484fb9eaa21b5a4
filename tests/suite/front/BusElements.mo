// run: stop=1 model=BusElements.Run ; check: i.e[1].y(1)=43 ; check: i.e[3].y(1)=34 ; check: i.e[2].y(1)=33
package BusElements "An element of an array makes a scalar member of a bus (MLS 9.1.3)"
  connector RealInput = input Real;
  connector RealOutput = output Real;
  expandable connector Bus
  end Bus;
  block Pair
    parameter Integer n = 1;
    RealInput u[n];
    RealOutput y = u[1] + 10*u[2];
  end Pair;
  block Source
    parameter Real k;
    RealOutput y = k;
  end Source;
  model Inner
    Bus bus;
    Pair e[3](each n = 2);
  equation
    connect(bus.a, e[1].u[1]);
    connect(bus.b, e[1].u[2]);
    connect(bus.b, e[3].u[1]);
    connect(bus.a, e[3].u[2]);
    connect(bus.a, e[2].u[1]);
    connect(bus.a, e[2].u[2]);
  end Inner;
  model Run
    Bus bus;
    Inner i;
    Source s(k = 3), t(k = 4);
  equation
    connect(i.bus, bus);
    connect(s.y, bus.a);
    connect(t.y, bus.b);
  end Run;
end BusElements;
