/* A comment ** before / everything */
within;
// names
model 'quoted name\' with ?' "escapes \" \\ \n \t \a \? \'"
  Real '1', 'a.b', _x, x_1; // trailing
  Real a = 1.e3 + .5E-2 + 13. + 1E+5 + 0 /* inline */ + 9223372036854775807;
  String s = "line one
line two with ünïcödé ✓";
  Real r = if true then 1.else 2;
  Real t = 2.*3 + 2 .*3;
  Integer m[:] = 1:2:5;
end 'quoted name\' with ?'; /**/
