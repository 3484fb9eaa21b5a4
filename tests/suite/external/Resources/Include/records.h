struct inner {
  int k;
  double x;
};
struct outer {
  int n;
  struct inner inner;
  int b;
  double y;
};

static double given(const struct outer *r, double x) {
  return r->n + r->inner.k + r->inner.x + r->y + (r->b ? x : -x);
}

static void make(double x, struct outer *r) {
  r->n = 3;
  r->inner.k = 7;
  r->inner.x = 2.5;
  r->b = 1;
  r->y = x;
}

static struct inner returned(double x) {
  struct inner r;
  r.k = -1;
  r.x = x;
  return r;
}

static double all(const struct inner *list, size_t count) {
  double y = 0;
  while (count-- > 0) y += list[count].k + list[count].x;
  return y;
}
