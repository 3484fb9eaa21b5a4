// compile:
// A sum over as many terms as no memory holds. The message comes before they are written out.
model TooManyRounds
  Real x = sum({sum({i*j*k*time for k in 1:2000}) for i in 1:2000, j in 1:2000}); //~ error[too-large] more than 3000000 bodies
end TooManyRounds;
