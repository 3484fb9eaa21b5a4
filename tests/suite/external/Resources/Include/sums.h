/* Not `static`, and without a guard: the same text is included once (MLS 12.9.4). */
double sum_of(const double *a, size_t rows, size_t columns) {
  double s = 0;
  size_t k;
  for (k = 0; k < rows * columns; k++) s += a[k];
  return s;
}

void scale(const double *a, size_t rows, size_t columns, double factor, double *b) {
  size_t k;
  for (k = 0; k < rows * columns; k++) b[k] = factor * a[k];
}
