// compile
model Other //~ error[cyclic-inheritance] `Cyclic` inherits from itself
  extends Cyclic;
end Other;
model Cyclic
  extends Other;
end Cyclic;
