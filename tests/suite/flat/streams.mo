within;
package Streams "Stream connectors (MLS 15)"
  connector Port
    Real p;
    flow Real m_flow;
    stream Real h_outflow;
  end Port;

  model Source
    parameter Real h = 1;
    Port port;
    Real seen = inStream(port.h_outflow);
  equation
    port.m_flow = -1;
    port.h_outflow = h;
  end Source;

  model Sink
    Port port(m_flow(min=0));
    Real seen = actualStream(port.h_outflow);
    Real H = port.m_flow*actualStream(port.h_outflow);
  equation
    port.p = 1;
    port.h_outflow = 0;
  end Sink;

  model Tank
    Port port;
    Real seen = inStream(port.h_outflow);
  equation
    port.p = 2;
    port.h_outflow = 5;
  end Tank;

  model Plugged "One connector"
    Tank tank;
  end Plugged;

  model Pair "Two connectors"
    Source source;
    Sink sink;
  equation
    connect(source.port, sink.port);
  end Pair;

  model Mixing "Three connectors; nothing ever leaves the sink"
    Source a;
    Source b;
    Sink sink;
  equation
    connect(a.port, sink.port);
    connect(b.port, sink.port);
  end Mixing;

  model Box "An outside connector"
    Port port;
    Source source;
  equation
    connect(source.port, port);
  end Box;

  model Nested
    Box box;
    Tank tank;
  equation
    connect(box.port, tank.port);
  end Nested;
end Streams;
