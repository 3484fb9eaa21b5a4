// run: stop=1 model=RedeclaredAround.Run ; check: y(1)=7 ; check: z(1)=3
package RedeclaredAround "A modification around a component's own overrides what that redeclares (MLS 7.2.4)"
  record Light
    parameter Real d = 3;
  end Light;
  record Heavy
    parameter Real d = 7;
  end Heavy;
  model Wall
    replaceable parameter Light c;
    Real d = c.d;
  end Wall;
  model House
    Wall wall[2](redeclare each parameter Light c);
    Wall floor(redeclare parameter Light c);
  end House;
  model Stone
    extends House(wall(redeclare each parameter Heavy c));
  end Stone;
  model Run
    Stone s;
    Real y = s.wall[2].d;
    Real z = s.floor.d;
  end Run;
end RedeclaredAround;
