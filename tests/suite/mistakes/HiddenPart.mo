// compile:
// A protected part used from outside.
model HiddenPart
  model Part
  protected
    Real k = 1;
  end Part;
  Part part;
  Real x = part.k; //~ error[protected-access] `k` is protected
end HiddenPart;
