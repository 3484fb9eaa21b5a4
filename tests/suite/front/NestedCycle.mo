// compile
model NestedCycle "A local class that extends the class around it, which extends the local class"
  extends Inner;
  model Inner //~ error[cyclic-inheritance] `NestedCycle` inherits from itself
    extends NestedCycle;
  end Inner;
end NestedCycle;
