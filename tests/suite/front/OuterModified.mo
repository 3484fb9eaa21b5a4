// compile:
model OuterModified "What is modified is the inner component, never the outer one (MLS 5.4)"
  model Part
    outer parameter Real p;
    Real x = p;
  end Part;
  inner parameter Real p = 1;
  Part part(p = 2); //~ error[outer-modified] the outer component `p` cannot be modified
end OuterModified;
