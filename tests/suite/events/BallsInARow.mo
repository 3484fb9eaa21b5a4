// run: stop=4.6 tolerance=1e-9 model=BallsInARow.One ; check: last(end)=6 ; check: first(end)=6 ; check: x[1](4.3)=0±1e-7 ; check: x[4](4.3)=0.015735638946368032±1e-6
// run: stop=4.6 tolerance=1e-9 method=radau model=BallsInARow.One ; check: last(end)=6 ; check: first(end)=6 ; check: x[4](4.3)=0.015735638946368032±1e-6
// run: stop=4.6 tolerance=1e-9 model=BallsInARow.Five ; check: x[1](2.3)=0±1e-7 ; check: x[2](2.3)=0±1e-7 ; check: x[3](2.3)=0.19496872428083273±1e-6 ; check: x[7](2.3)=0.19496872428083273±1e-6 ; check: x[5](4.3)=0.015735638946368032±1e-6 ; check: x[2](4.3)=0±1e-7
// run: stop=4.6 tolerance=1e-9 method=bdf model=BallsInARow.Five ; check: x[2](2.3)=0±1e-7 ; check: x[3](2.3)=0.19496872428083273±1e-6 ; check: x[7](2.3)=0.19496872428083273±1e-6 ; check: x[5](4.3)=0.015735638946368032±1e-6
// compile: model=BallsInARow.One ; print: causal
package BallsInARow "Balls that touch at rest hand velocities on; errors of integration between them are no contacts"
  partial model Row
    parameter Integer count = 4, raised = 1;
    Real x[count](start = {if i <= raised then -0.2 else 0 for i in 1:count}, each fixed = true);
    Real v[count](each start = 0, each fixed = true);
    Boolean touch[count - 1];
    Integer first(start = 0, fixed = true), last(start = 0, fixed = true) "Exchanges at both ends";
  equation
    // All that moves is at -0.2*cos(4*t) where that is on its side, as it is on the right at 2.3 and 4.3. With one ball
    // raised each end has one exchange whenever cos(4*t) is zero: 6 times until 4.6.
    for i in 1:count loop
      der(x[i]) = v[i];
      der(v[i]) = -16*x[i];
    end for;
    for k in 1:count - 1 loop
      touch[k] = x[k] >= x[k + 1] and v[k] > v[k + 1];
    end for;
    when touch[1] then
      reinit(v[1], pre(v[2]));
      first = pre(first) + 1;
    end when;
    for i in 2:count - 1 loop
      when touch[i - 1] then
        reinit(v[i], pre(v[i - 1]));
      elsewhen touch[i] then
        reinit(v[i], pre(v[i + 1]));
      end when;
    end for;
    when touch[count - 1] then
      reinit(v[count], pre(v[count - 1]));
      last = pre(last) + 1;
    end when;
  end Row;

  model One
    extends Row;
  end One;

  model Five
    extends Row(count = 7, raised = 5);
  end Five;
end BallsInARow;
