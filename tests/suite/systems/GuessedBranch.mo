// run: stop=1 ; check: p(0)=3±1e-8 ; check: liquid(0)=1
// compile: ; print: causal
model GuessedBranch "Conditions inside an initial system begin with what they are at the guesses"
  function density
    input Real p;
    input Boolean liquid;
    output Real d;
  algorithm
    // The other formula has no value at all on this side.
    assert(liquid == (p > 1), "the wrong formula for this pressure");
    d := if liquid then 10 + p else p;
    annotation(Inline = false);
  end density;
  Real p(start = 5), q(start = 4), d, e;
  Boolean liquid, wet;
  Boolean both = liquid and wet;
initial equation
  d = 13;
  e = 14;
equation
  liquid = p > 1;
  wet = q > 1;
  d = density(p, liquid);
  e = density(q, wet);
  der(p) = 0;
  der(q) = 0;
end GuessedBranch;
