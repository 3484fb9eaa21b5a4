// leading comment


within   Kairos . Tests;
  model Layout    "A model"   // after the header
// own line
    parameter Real x(min = 0,max=1)=2*a  +  b "description" annotation(Dialog(group="a"));


      Real y ; Real z /* inline */ = 3 ; /* trailing */
   import A.B. *; import A.B.*; import A.B.{C,D};
  Real t[:,2]=[1,2;3,4] ; Real u=-x ^ 2-(-y);
  Real longName = firstOperand*secondOperand + thirdOperand*fourthOperand - fifthOperand/sixthOperand + seventhOperand "a long description of it";
  Modelica.Blocks.Sources.Step step(height = 1, offset = 2, startTime = 3, y(start = 4, fixed = true)) "step" annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Real points[:, 2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}, {16, 17}, {18, 19}};
  Real table[:, 3] = [0.00001, 0.00002, 0.00003; 0.00004, 0.00005, 0.00006; 0.00007, 0.00008, 0.00009; 1, 2, 3];
  type E=enumeration(one "the first of them", two "the second of them", three "the third of them", four);
  replaceable package Medium = Modelica.Media.Water.StandardWater constrainedby Modelica.Media.Interfaces.PartialMedium "medium";
  Real f=g(a, // first
    b,
    // own
    c);
protected Real q;
  function f input Real x; output Real y; protected Real h; algorithm y:=x; if x>1 then y:=2; elseif x<1 then y:=3; else y:=4; end if; for i in 1:n + 1 loop y:=y+i; end for; while y>1 loop y:=y-1; break; end while; end f;
equation
  // comment before the end
  x[i + 1]=y[end - 1]; x= if a then b else c;
  if if a then b else c then x=1; else
    // nothing
  end if;
  when x>1 then reinit(x,0); elsewhen y>2 then reinit(y,-1); end when;
  assert(x>1,"text that is rather long so that the line has to be broken somewhere " + String(x)) ;
  connect(a,b)annotation(Line(points={{0,0},{1,1}}));
  x = {a.b[i]*c for i in 1:n} .+ 1 ./ 2 .^ 3 and not b or c;
  annotation(Documentation(info="<html>
<p>verbatim   text</p>
</html>"), Icon(graphics={Line(points={{0,0}})}));
end Layout;
/* the end */
