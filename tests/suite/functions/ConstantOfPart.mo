// run: stop=1 tolerance=1e-9 ; check: y(1)=3±1e-12 ; check: x(1)=2±1e-6
// compile: ; print: flat
model ConstantOfPart "A function of a component sees its constants, also where its value is a factor in changing structure"
  model Oil
    constant Real p0 = 2;
    constant Real c[2] = {1, 5};
    function density
      input Real p;
      output Real d;
    algorithm
      d := p - p0 + c[2];
    end density;
    function search
      input Real p;
      output Real d;
    algorithm
      d := 0;
      while d < 100 and d < density(p) loop
        d := d + 1;
      end while;
    end search;
  end Oil;
  Oil oil;
  parameter Real r = oil.search(0);
  Real y = r*time;
  // Held until half of the time is over, free from then on: 3 der(v) = 48 lifts x by 16*(1/2)^2/2 = 2.
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), f;
  Boolean held = time < 0.5;
equation
  der(x) = v;
  r*der(v) = 48 + f;
  0 = if held then v else f;
end ConstantOfPart;
