model UnclosedString
  // next: error[unclosed-string]
  Real x "never closed;
end UnclosedString;
