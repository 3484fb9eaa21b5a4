// compile
model InnerOuterWrong
  model A
    outer Real p = 2; //~ error[outer-modified] cannot be modified
    outer Integer q; //~ error[outer-type] differ in type or size
  end A;
  inner Real p = 1;
  inner Real q = 1;
  A a;
end InnerOuterWrong;
