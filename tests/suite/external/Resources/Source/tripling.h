double tripled(double x);
double turned(double x);
