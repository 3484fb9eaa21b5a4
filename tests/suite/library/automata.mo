package automata "Automata whose runs are known"
  import Kairos.Automata.Parts.{Mode, Superstate, Transition};

  model Thermostat "on between 18 and 22: closed form of both phases"
    Mode off(isInitial=true, invariant=T >= 18), on(invariant=T <= 22);
    Transition heat(guard=T <= 18), cool(guard=T >= 22);
    Real T(start=20, fixed=true);
  equation
    connect(off.leave[1], heat.from);
    connect(heat.to, on.enter[1]);
    connect(on.leave[1], cool.from);
    connect(cool.to, off.enter[1]);
    der(T) = if on.active then 5 - 0.1*T else -0.1*T;
  end Thermostat;

  model Reset "a bouncing ball: one mode, one transition to itself with a reset"
    Mode flying(isInitial=true);
    Transition bounce(guard=h <= 0 and v < 0);
    Real h(start=1, fixed=true), v(start=0, fixed=true);
  equation
    connect(flying.leave[1], bounce.from);
    connect(bounce.to, flying.enter[1]);
    der(h) = v;
    der(v) = -9.81;
    when bounce.fire then
      reinit(v, -0.8*pre(v));
    end when;
  end Reset;

  model NoWayOut "the invariant ends and no transition leaves"
    Mode filling(isInitial=true, nIn=0, nOut=1, invariant=level <= 1);
    Mode done(nOut=0);
    Transition leave(guard=level >= 2);
    Real level(start=0, fixed=true);
  equation
    connect(filling.leave[1], leave.from);
    connect(leave.to, done.enter[1]);
    der(level) = 0.5;
  end NoWayOut;

  model Window
    "the driver's superstate goes before the passenger's (acceptance case `window_statechart`)"
    Boolean drvUp, drvDown, drvNeutral, pasUp, pasDown, atTop, atBottom;
    Mode neutral(isInitial=true, nIn=4, nOut=4), passengerUp(nIn=2, nOut=4), passengerDown(
      nIn=2,
      nOut=4), driverUp(nIn=5, nOut=3), driverDown(nIn=5, nOut=3);
    Transition n_du(guard=edge(drvUp)), n_dd(guard=edge(drvDown)), n_pu(guard=edge(pasUp)), n_pd(guard=edge(
      pasDown));
    Transition pu_du(guard=edge(drvUp)), pu_dd(guard=edge(drvDown)), pu_n(guard=edge(atTop)
      or edge(atBottom)), pu_pd(guard=edge(pasDown));
    Transition pd_du(guard=edge(drvUp)), pd_dd(guard=edge(drvDown)), pd_n(guard=edge(atTop)
      or edge(atBottom)), pd_pu(guard=edge(pasUp));
    Transition du_dd(guard=edge(drvDown)), du_n(guard=edge(drvNeutral) or edge(atTop)
      or edge(atBottom)), du_du(guard=edge(drvUp));
    Transition dd_du(guard=edge(drvUp)), dd_n(guard=edge(drvNeutral) or edge(atTop)
      or edge(atBottom)), dd_dd(guard=edge(drvDown));
    Real x(start=0, fixed=true);
    Integer mode = if passengerUp.active then 1 else if passengerDown.active then 2
      else if driverUp.active then 3 else if driverDown.active then 4 else 0;
  equation
    drvUp = time >= 2.5;
    drvDown = time >= 1.0;
    drvNeutral = time >= 1.4 and time < 1.4 + 0.01 or time >= 3.1;
    pasUp = time >= 0.5 and time < 0.5 + 0.01 or time >= 1.2 and time < 1.2 + 0.01 or time >= 2.0;
    pasDown = time >= 2.5;
    atTop = x >= 0.25;
    atBottom = x <= 0;
    der(x) = if passengerUp.active or driverUp.active then 0.25 else if passengerDown.active
      or driverDown.active then -0.25 else 0;
    connect(neutral.leave[1], n_du.from);
    connect(neutral.leave[2], n_dd.from);
    connect(neutral.leave[3], n_pu.from);
    connect(neutral.leave[4], n_pd.from);
    connect(passengerUp.leave[1], pu_du.from);
    connect(passengerUp.leave[2], pu_dd.from);
    connect(passengerUp.leave[3], pu_n.from);
    connect(passengerUp.leave[4], pu_pd.from);
    connect(passengerDown.leave[1], pd_du.from);
    connect(passengerDown.leave[2], pd_dd.from);
    connect(passengerDown.leave[3], pd_n.from);
    connect(passengerDown.leave[4], pd_pu.from);
    connect(driverUp.leave[1], du_du.from);
    connect(driverUp.leave[2], du_dd.from);
    connect(driverUp.leave[3], du_n.from);
    connect(driverDown.leave[1], dd_du.from);
    connect(driverDown.leave[2], dd_dd.from);
    connect(driverDown.leave[3], dd_n.from);
    connect(n_du.to, driverUp.enter[1]);
    connect(pu_du.to, driverUp.enter[2]);
    connect(pd_du.to, driverUp.enter[3]);
    connect(dd_du.to, driverUp.enter[4]);
    connect(n_dd.to, driverDown.enter[1]);
    connect(pu_dd.to, driverDown.enter[2]);
    connect(pd_dd.to, driverDown.enter[3]);
    connect(du_dd.to, driverDown.enter[4]);
    connect(pu_n.to, neutral.enter[1]);
    connect(pd_n.to, neutral.enter[2]);
    connect(du_n.to, neutral.enter[3]);
    connect(dd_n.to, neutral.enter[4]);
    connect(pd_pu.to, passengerUp.enter[1]);
    connect(pu_pd.to, passengerDown.enter[1]);
    connect(n_pu.to, passengerUp.enter[2]);
    connect(n_pd.to, passengerDown.enter[2]);
    connect(du_du.to, driverUp.enter[5]);
    connect(dd_dd.to, driverDown.enter[5]);
  end Window;

  model Interrupted
    "two counters in superstates, with and without history; a superstate's own transition goes first"
    parameter Boolean history = true;
    Superstate work(isInitial=true, history=history);
    Mode pause;
    Mode one(isInitial=true, nested=true), two(nested=true), three(nested=true);
    Transition t12(after=1), t23(after=1), t31(after=1);
    Transition stop(guard=time >= 1.5 and time < 2 or time >= 5), go(guard=time >= 4 and time < 5);
  equation
    connect(work.inside, one.parent);
    connect(work.inside, two.parent);
    connect(work.inside, three.parent);
    connect(one.leave[1], t12.from);
    connect(t12.to, two.enter[1]);
    connect(two.leave[1], t23.from);
    connect(t23.to, three.enter[1]);
    connect(three.leave[1], t31.from);
    connect(t31.to, one.enter[1]);
    connect(work.leave[1], stop.from);
    connect(stop.to, pause.enter[1]);
    connect(pause.leave[1], go.from);
    connect(go.to, work.enter[1]);
  end Interrupted;

  model Forgetful = Interrupted(history=false);
end automata;
