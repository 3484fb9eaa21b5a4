// run: stop=1 ; check: a(1)=2±1e-12 ; check: b(1)=3±1e-12
model Texts "What depends on texts is decided when the code is made, or interpreted where it is reached"
  function choose
    input String how;
    input Real x;
    output Real y;
  protected
    String unused = "for " + how;
  algorithm
    if how == "double" then
      y := 2*x;
    elseif how == "triple" then
      y := 3*x;
    else
      assert(false, "no such way: " + how);
      y := 0;
    end if;
  end choose;
  Real a = choose("double", time), b = choose("triple", time);
end Texts;
