#include "tripling.h"

double tripled(double x) { return 3 * x; }

double turned(double x) { return -x; }
