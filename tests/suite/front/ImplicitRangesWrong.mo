// compile
model ImplicitRangesWrong
  Real x[3], y[2], n;
equation
  for i loop
    x[i] = y[i]; //~ error[implicit-range] different sizes
  end for;
  for k loop //~ error[implicit-range] nothing in this loop
    n = k;
  end for;
  y = {size(n, 1), 1}; //~ error[array-expected] `size` needs an array
end ImplicitRangesWrong;
