package Petri "Places hold tokens, transitions move them"
  connector AtPlace "An arc at its place"
    output Integer tokens "What the place holds";
    input Boolean fires "The transition moves a token";
  end AtPlace;

  connector AtTransition "An arc at its transition"
    input Integer tokens;
    output Boolean fires;
  end AtTransition;

  block Place
    parameter Integer first = 0 "Tokens at the start";
    AtPlace give, take;
    Integer tokens(start=first, fixed=true);
  equation
    tokens = pre(tokens) + (if give.fires then 1 else 0) - (if take.fires then 1 else 0);
    give.tokens = pre(tokens);
    take.tokens = pre(tokens);
  end Place;

  block Transition
    parameter Real duration(unit="s") = 1;
    AtTransition from, to;
    Boolean enabled = from.tokens > 0;
    Boolean fires(start=false, fixed=true) = enabled and time >= due;
    discrete Real due(start=0, fixed=true, unit="s");
    Integer count(start=0, fixed=true) = pre(count) + (if fires then 1 else 0);
  equation
    when {initial(), enabled, pre(fires)} then
      due = time + duration;
    end when;
    from.fires = fires;
    to.fires = fires;
  end Transition;

  model Packing "Parts go through a buffer with three places"
    Place free(first=3), buffer;
    Transition make(duration=1), pack(duration=1.6);
  equation
    connect(free.take, make.from);
    connect(make.to, buffer.give);
    connect(buffer.take, pack.from);
    connect(pack.to, free.give);
    annotation(experiment(StopTime=20));
  end Packing;
end Petri;
