#include "ModelicaUtilities.h"

static double root(double x) {
  if (x < 0) ModelicaFormatError("no root of %g\n", x);
  return sqrt(x);
}
