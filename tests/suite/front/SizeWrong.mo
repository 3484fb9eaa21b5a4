// compile
model SizeWrong
  Real a[2] = {1, 2};
  Integer i = size(3, 1); //~ error[array-expected] `size` needs an array
  Integer j = size(a, 2); //~ error[no-such-dimension] 1 to 1
  Integer k = size(a, 1.0); //~ error[dimension-expected] Integer
end SizeWrong;
