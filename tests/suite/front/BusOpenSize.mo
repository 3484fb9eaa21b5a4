// run: stop=1 model=BusOpenSize.M ; check: take.u[3](end)=3 ; check: bus.x[2](end)=2
package BusOpenSize "A member of a bus whose size is open has that of what is connected to it (MLS 9.1.3)"
  expandable connector Bus
    Real x[:];
  end Bus;
  connector RealInput = input Real;
  connector RealOutput = output Real;
  block Give
    RealOutput y[3] = {1, 2, 3};
  end Give;
  block Take
    RealInput u[3];
  end Take;
  model M
    Bus bus;
    Give give;
    Take take;
  equation
    connect(give.y, bus.x);
    connect(bus.x, take.u);
  end M;
end BusOpenSize;
