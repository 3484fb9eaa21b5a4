package EndNames
  model A
  end B; // error[end-name-mismatch]
  model C
    model D
      Real x;
  end C; // error[unclosed-class]
  model E
  equation
    if true then
      x = 1;
  end E; // error[unclosed-block]
  model F
  end; // error[unclosed-class]
end EndNames;
