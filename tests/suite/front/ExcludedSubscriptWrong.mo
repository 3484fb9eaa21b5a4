// compile: model=ExcludedSubscriptWrong
model ExcludedSubscriptWrong "A branch that counts may not"
  parameter Integer n = 3;
  Real T[n](each start = 1, each fixed = true);
equation
  der(T) = {if i == 1 then 0 else T[i + 1] for i in 1:n}; //~ error[bad-subscript] subscript 4 is outside 1:3
end ExcludedSubscriptWrong;
