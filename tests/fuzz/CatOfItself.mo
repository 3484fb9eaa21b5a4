model CatOfItself
  parameter Integer n = 3;
  Real y = time;
  Real v[n] = cat(1, {y}, cat(1, y*1:3, cat(1, {time, 1, 2}, v)));
end CatOfItself;
