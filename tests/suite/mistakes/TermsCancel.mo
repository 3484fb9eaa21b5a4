// compile:
// Terms that cancel, over an alias and in another order. The equation says so; the unknown is named.
model TermsCancel
  Real v, w, u; //~ error[structurally-singular] `v` not determined
equation
  2*v + w*u = u*w + v + v; //~ error[structurally-singular] an equation determines no unknown
  w = time;
  u = 3*time;
end TermsCancel;
