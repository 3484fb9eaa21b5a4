package UnclosedClass
  model A
    Real x;
  end A;
  // next: error[unclosed-class]
