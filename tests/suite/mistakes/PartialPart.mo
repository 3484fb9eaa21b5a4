// compile:
// A part of a partial class.
model PartialPart
  partial model Machine
    Real v;
  end Machine;
  Machine m; //~ error[partial-class] partial class
end PartialPart;
