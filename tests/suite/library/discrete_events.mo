package discrete_events "Entity flow that can be worked out by hand or by a queueing formula"
  import Kairos.DiscreteEvents.{Parts, Types, Random};

  model Network
    "packets, a FIFO of two places and a server with listed times (acceptance case `can_fifo`)"
    Parts.PeriodicGenerator source(period=0.01, startTime=0.01, value=source.generated);
    Parts.Queue queue(capacity=2);
    Parts.Server server(service=Types.Service.List, list={0.0143, 0.0061, 0.0312, 0.0094});
    Parts.Sink sink;
    Integer lost = queue.lost, waiting = queue.length, delivered = sink.arrived, started = server.started;
  equation
    connect(source.out, queue.enter);
    connect(queue.out, server.enter);
    connect(server.out, sink.enter);
  end Network;

  model Disciplines "three entities wait for a gate; in which order do they leave?"
    parameter Types.Discipline discipline = Types.Discipline.FIFO;
    Parts.ListGenerator a(times={1, 3}, priority=3, value=10 + time), b(
      times={2},
      priority=1,
      value=20 + time);
    Parts.Join join;
    Parts.Queue queue(discipline=discipline);
    Parts.Gate gate(open=time >= 5 and time < 5.5 or time >= 6 and time < 6.5 or time >= 7);
    Parts.Server server(mean=0.6);
    Parts.Sink sink;
  equation
    connect(a.out, join.enter[1]);
    connect(b.out, join.enter[2]);
    connect(join.out, queue.enter);
    connect(queue.out, gate.enter);
    connect(gate.out, server.enter);
    connect(server.out, sink.enter);
  end Disciplines;

  model Last = Disciplines(discipline=Types.Discipline.LIFO);
  model Urgent = Disciplines(discipline=Types.Discipline.Priority);

  model Blocking "a queue that does not drop holds the server before it"
    Parts.PeriodicGenerator source(period=1, startTime=1);
    Parts.Queue first(capacity=10), second(capacity=1, drops=false);
    Parts.Server fast(mean=0.5), slow(mean=3);
    Parts.Sink sink;
  equation
    connect(source.out, first.enter);
    connect(first.out, fast.enter);
    connect(fast.out, second.enter);
    connect(second.out, slow.enter);
    connect(slow.out, sink.enter);
  end Blocking;

  model Routes "routers, and a delay"
    Parts.PeriodicGenerator source(period=1, startTime=1, value=1 + mod(source.generated, 3));
    Parts.Router byValue(n=3, rule=Types.Rule.Value), turns(n=2, rule=Types.Rule.RoundRobin), free(
      n=2);
    Parts.Delay way(delayTime=2.5);
    Parts.Server first(mean=5), second(mean=5);
    Parts.Sink s[5];
  equation
    connect(source.out, byValue.enter);
    connect(byValue.out[1], turns.enter);
    connect(turns.out[1], s[1].enter);
    connect(turns.out[2], s[2].enter);
    connect(byValue.out[2], way.enter);
    connect(way.out, s[3].enter);
    connect(byValue.out[3], free.enter);
    connect(free.out[1], first.enter);
    connect(free.out[2], second.enter);
    connect(first.out, s[4].enter);
    connect(second.out, s[5].enter);
  end Routes;

  model Bank
    "M/M/1 with rho = 0.8: utilisation 0.8, mean number waiting 3.2, mean wait 4 (statistics of a long run)"
    Parts.RandomGenerator source(mean=1.25, seed=7);
    Parts.Queue queue(capacity=25);
    Parts.Server server(distribution=Random.Distribution.Exponential, mean=1, seed=11);
    Parts.Sink sink;
  equation
    connect(source.out, queue.enter);
    connect(queue.out, server.enter);
    connect(server.out, sink.enter);
  end Bank;

  model Bus
    "two senders and other traffic on a bus: the smallest identifier goes first, nobody is interrupted"
    Parts.ListGenerator slow(times={1, 6}, value=1 + time), urgent(
      times={1.2, 6},
      value=2 + time), other(times={1.1, 1.4, 6}, value=3 + time);
    Parts.CANBus bus(n=3, identifier={30, 10, 20}, bitRate=100, bits={100, 100, 50});
    Parts.Receiver r30(identifier=30), r10(identifier=10), r20(identifier=20);
  equation
    connect(slow.out, bus.enter[1]);
    connect(urgent.out, bus.enter[2]);
    connect(other.out, bus.enter[3]);
    connect(bus.frames, r30.frames);
    connect(bus.frames, r10.frames);
    connect(bus.frames, r20.frames);
  end Bus;

  model Stream "the first numbers of a random stream, and the mean of two thousand"
    Integer state[2](start=Random.start(42), each fixed=true);
    Integer n(start=0, fixed=true);
    discrete Real u(start=0, fixed=true), total(start=0, fixed=true), erlang(
      start=0,
      fixed=true), width(start=0, fixed=true);
  equation
    when sample(1, 1) then
      state = Random.step(pre(state));
      u = Random.uniform(state);
      total = pre(total) + u;
      erlang = pre(erlang) + Random.draw(Random.Distribution.Erlang2, 3, state);
      width = max(pre(width), Random.draw(Random.Distribution.Uniform, 3, state));
      n = pre(n) + 1;
    end when;
  end Stream;
end discrete_events;
