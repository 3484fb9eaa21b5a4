model UnclosedName
  // next: error[unclosed-quoted-name]
  Real 'x;
  Real y;
end UnclosedName;
