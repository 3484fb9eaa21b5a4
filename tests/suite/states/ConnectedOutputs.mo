// run: stop=1 ; check: w(0.25)=3 ; check: w(0.35)=-1 ; check: w(0.45)=-2 ; check: w(0.65)=5 ; check: z(0.65)=5
// compile: ; print: causal
model ConnectedOutputs "Outputs of two states on one wire: it carries that of the active one"
  // up counts 1, 2, 3 at ticks 0 to 2, down -1, -2 at ticks 3 and 4, and up goes on with 4, 5 at ticks 5 and 6.
  connector Signal = output Integer;
  connector Wire = input Integer;
  block Count
    parameter Integer step;
    Integer n(start = 0) = previous(n) + step;
    Signal y = n;
  end Count;
  block Show
    Wire u;
  end Show;
  Count up(step = 1), down(step = -1);
  Show one, two;
  Integer w = one.u, z = two.u;
  Boolean ticks = sample(true, Clock(1, 10));
equation
  connect(up.y, one.u);
  connect(down.y, one.u);
  connect(one.u, two.u);
  initialState(up);
  transition(up, down, ticksInState() >= 3 and ticks, immediate = false, reset = false);
  transition(down, up, ticksInState() >= 2, immediate = false, reset = false);
end ConnectedOutputs;
