package petri_nets "Nets whose marking can be worked out by hand"
  import Kairos.PetriNets.Parts.{Place, CountingPlace, Transition};

  model CommonResource
    "two processes share a heater: the acceptance case `petri_common_resource` from parts"
    Place Xcooling(startToken=true), Xheating, Ycooling(startToken=true), Yheating, Resource(
      nIn=2,
      nOut=2,
      startToken=true);
    Transition Xcold(nIn=2, condition=x < 0.1), Xhot(nOut=2, condition=x > 0.9), Ycold(
      nIn=2,
      condition=y < 0.2), Yhot(nOut=2, condition=y > 0.8);
    Real x(start=0, fixed=true), y(start=0, fixed=true);
  equation
    connect(Xcold.to[1], Xheating.enter[1]);
    connect(Xheating.leave[1], Xhot.from[1]);
    connect(Xhot.to[1], Xcooling.enter[1]);
    connect(Xcooling.leave[1], Xcold.from[1]);
    connect(Ycold.to[1], Yheating.enter[1]);
    connect(Yheating.leave[1], Yhot.from[1]);
    connect(Yhot.to[1], Ycooling.enter[1]);
    connect(Ycooling.leave[1], Ycold.from[1]);
    connect(Resource.leave[1], Xcold.from[2]);
    connect(Resource.leave[2], Ycold.from[2]);
    connect(Xhot.to[2], Resource.enter[1]);
    connect(Yhot.to[2], Resource.enter[2]);
    der(x) = -x + (if Xheating.token then 2.5 else 0);
    der(y) = -0.5*y + (if Yheating.token then 1 else 0);
    when x < 0.1 then
      reinit(x, 0);
    end when;
    when y < 0.2 then
      reinit(y, 0);
    end when;
  end CommonResource;

  model ProducerConsumer
    "a producer every 1 s, a buffer of 3, a consumer every 2.5 s that starts late: the buffer fills and blocks"
    Place ready(startToken=true), made, hungry(startToken=true), fed;
    CountingPlace buffer(capacity=3);
    Transition produce(nOut=2, delay=1), prepare, consume(
      nIn=2,
      delay=2.5,
      condition=time > 4.2), digest;
  equation
    connect(ready.leave[1], produce.from[1]);
    connect(produce.to[1], made.enter[1]);
    connect(produce.to[2], buffer.enter[1]);
    connect(made.leave[1], prepare.from[1]);
    connect(prepare.to[1], ready.enter[1]);
    connect(hungry.leave[1], consume.from[1]);
    connect(buffer.leave[1], consume.from[2]);
    connect(consume.to[1], fed.enter[1]);
    connect(fed.leave[1], digest.from[1]);
    connect(digest.to[1], hungry.enter[1]);
  end ProducerConsumer;

  model Priority "two transitions compete for three tokens: the one connected first takes them all"
    CountingPlace source(startTokens=3, nIn=0, nOut=2), first(nOut=0), second(nOut=0);
    Transition a(condition=time >= 1), b(condition=time >= 1);
  equation
    connect(source.leave[1], a.from[1]);
    connect(source.leave[2], b.from[1]);
    connect(a.to[1], first.enter[1]);
    connect(b.to[1], second.enter[1]);
  end Priority;
end petri_nets;
