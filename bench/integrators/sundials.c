/* The same problems on SUNDIALS 6: prints CPU seconds, steps, evaluations, and the final values.
   Usage: sundials PROBLEM RTOL REPEATS */
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <time.h>

#define N 32
static SUNContext context;
static long evaluations;
static double *data(N_Vector v) { return N_VGetArrayPointer(v); }

static int van_der_pol(double t, N_Vector yv, N_Vector fv, void *user) {
  double *y = data(yv), *f = data(fv);
  (void)t, (void)user, evaluations++;
  f[0] = y[1];
  f[1] = 1000 * (1 - y[0] * y[0]) * y[1] - y[0];
  return 0;
}
static int van_der_pol_jacobian(double t, N_Vector yv, N_Vector fv, SUNMatrix j, void *user, N_Vector a, N_Vector b, N_Vector c) {
  double *y = data(yv);
  (void)t, (void)fv, (void)user, (void)a, (void)b, (void)c;
  SM_ELEMENT_D(j, 0, 1) = 1;
  SM_ELEMENT_D(j, 1, 0) = -2000 * y[0] * y[1] - 1;
  SM_ELEMENT_D(j, 1, 1) = 1000 * (1 - y[0] * y[0]);
  return 0;
}

static int hires(double t, N_Vector yv, N_Vector fv, void *user) {
  double *y = data(yv), *f = data(fv);
  (void)t, (void)user, evaluations++;
  f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
  f[1] = 1.71 * y[0] - 8.75 * y[1];
  f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
  f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
  f[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
  f[5] = -280 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
  f[6] = 280 * y[5] * y[7] - 1.81 * y[6];
  f[7] = -f[6];
  return 0;
}
static int hires_jacobian(double t, N_Vector yv, N_Vector fv, SUNMatrix j, void *user, N_Vector a, N_Vector b, N_Vector c) {
  double *y = data(yv);
  (void)t, (void)fv, (void)user, (void)a, (void)b, (void)c;
  SM_ELEMENT_D(j, 0, 0) = -1.71, SM_ELEMENT_D(j, 0, 1) = 0.43, SM_ELEMENT_D(j, 0, 2) = 8.32;
  SM_ELEMENT_D(j, 1, 0) = 1.71, SM_ELEMENT_D(j, 1, 1) = -8.75;
  SM_ELEMENT_D(j, 2, 2) = -10.03, SM_ELEMENT_D(j, 2, 3) = 0.43, SM_ELEMENT_D(j, 2, 4) = 0.035;
  SM_ELEMENT_D(j, 3, 1) = 8.32, SM_ELEMENT_D(j, 3, 2) = 1.71, SM_ELEMENT_D(j, 3, 3) = -1.12;
  SM_ELEMENT_D(j, 4, 4) = -1.745, SM_ELEMENT_D(j, 4, 5) = 0.43, SM_ELEMENT_D(j, 4, 6) = 0.43;
  SM_ELEMENT_D(j, 5, 3) = 0.69, SM_ELEMENT_D(j, 5, 4) = 1.71, SM_ELEMENT_D(j, 5, 5) = -280 * y[7] - 0.43;
  SM_ELEMENT_D(j, 5, 6) = 0.69, SM_ELEMENT_D(j, 5, 7) = -280 * y[5];
  SM_ELEMENT_D(j, 6, 5) = 280 * y[7], SM_ELEMENT_D(j, 6, 6) = -1.81, SM_ELEMENT_D(j, 6, 7) = 280 * y[5];
  SM_ELEMENT_D(j, 7, 5) = -280 * y[7], SM_ELEMENT_D(j, 7, 6) = 1.81, SM_ELEMENT_D(j, 7, 7) = -280 * y[5];
  return 0;
}

static int pleiades(double t, N_Vector yv, N_Vector fv, void *user) {
  double *x = data(yv), *y = x + 7, *u = x + 14, *v = x + 21, *f = data(fv);
  (void)t, (void)user, evaluations++;
  for (int i = 0; i < 7; i++) {
    f[i] = u[i], f[7 + i] = v[i];
    double sx = 0, sy = 0;
    for (int j = 0; j < 7; j++)
      if (i != j) {
        double dx = x[j] - x[i], dy = y[j] - y[i], r = dx * dx + dy * dy, r3 = r * sqrt(r);
        sx += (j + 1) * dx / r3, sy += (j + 1) * dy / r3;
      }
    f[14 + i] = sx, f[21 + i] = sy;
  }
  return 0;
}

static int brusselator(double t, N_Vector yv, N_Vector fv, void *user) {
  double *u = data(yv), *v = u + N * N, *f = data(fv), *g = f + N * N, d = 0.02 * N * N;
  (void)t, (void)user, evaluations++;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int k = i * N + j, a = (i + 1) % N * N + j, b = (i + N - 1) % N * N + j, c = i * N + (j + 1) % N, e = i * N + (j + N - 1) % N;
      double r = u[k] * u[k] * v[k];
      f[k] = 1 + r - 4.4 * u[k] + d * (u[a] + u[b] + u[c] + u[e] - 4 * u[k]);
      g[k] = 3.4 * u[k] - r + d * (v[a] + v[b] + v[c] + v[e] - 4 * v[k]);
    }
  return 0;
}
static int brusselator_jacobian(double t, N_Vector yv, N_Vector fv, SUNMatrix m, void *user, N_Vector x, N_Vector y, N_Vector z) {
  double *u = data(yv), *v = u + N * N, d = 0.02 * N * N, *value = SM_DATA_S(m);
  sunindextype *start = SM_INDEXPTRS_S(m), *row = SM_INDEXVALS_S(m), at = 0;
  (void)t, (void)fv, (void)user, (void)x, (void)y, (void)z;
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        int k = i * N + j, base = half * N * N;
        int near[4] = {(i + 1) % N * N + j, (i + N - 1) % N * N + j, i * N + (j + 1) % N, i * N + (j + N - 1) % N};
        start[base + k] = at;
        for (int q = 0; q < 4; q++) row[at] = base + near[q], value[at++] = d;
        row[at] = base + k, value[at++] = half ? -u[k] * u[k] - 4 * d : 2 * u[k] * v[k] - 4.4 - 4 * d;
        row[at] = (1 - half) * N * N + k, value[at++] = half ? u[k] * u[k] : 3.4 - 2 * u[k] * v[k];
      }
  start[2 * N * N] = at;
  return 0;
}

static int robertson(double t, N_Vector yv, N_Vector pv, N_Vector rv, void *user) {
  double *y = data(yv), *p = data(pv), *r = data(rv);
  (void)t, (void)user, evaluations++;
  r[0] = -0.04 * y[0] + 1e4 * y[1] * y[2] - p[0];
  r[1] = 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] * y[1] - p[1];
  r[2] = y[0] + y[1] + y[2] - 1;
  return 0;
}
static int robertson_jacobian(double t, double c, N_Vector yv, N_Vector pv, N_Vector rv, SUNMatrix j, void *user, N_Vector a, N_Vector b, N_Vector e) {
  double *y = data(yv);
  (void)t, (void)pv, (void)rv, (void)user, (void)a, (void)b, (void)e;
  SM_ELEMENT_D(j, 0, 0) = -0.04 - c, SM_ELEMENT_D(j, 0, 1) = 1e4 * y[2], SM_ELEMENT_D(j, 0, 2) = 1e4 * y[1];
  SM_ELEMENT_D(j, 1, 0) = 0.04, SM_ELEMENT_D(j, 1, 1) = -1e4 * y[2] - 6e7 * y[1] - c, SM_ELEMENT_D(j, 1, 2) = -1e4 * y[1];
  SM_ELEMENT_D(j, 2, 0) = SM_ELEMENT_D(j, 2, 1) = SM_ELEMENT_D(j, 2, 2) = 1;
  return 0;
}

typedef struct {
  const char *name;
  int size, stiff;
  double stop;
  CVRhsFn rhs;
  CVLsJacFn jacobian;
} Problem;
static const Problem problems[] = {
    {"VanDerPol", 2, 1, 2000, van_der_pol, van_der_pol_jacobian},
    {"Hires", 8, 1, 321.8122, hires, hires_jacobian},
    {"Pleiades", 28, 0, 3, pleiades, NULL},
    {"Brusselator", 2 * N * N, 2, 10, brusselator, brusselator_jacobian},
};

static void start(const char *name, double *y) {
  if (!strcmp(name, "VanDerPol")) y[0] = 2;
  if (!strcmp(name, "Hires")) y[0] = 1, y[7] = 0.0057;
  if (!strcmp(name, "Pleiades")) {
    double s[28] = {3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0};
    memcpy(y, s, sizeof s);
  }
  if (!strcmp(name, "Brusselator"))
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double a = (double)i / N, b = (double)j / N;
        y[i * N + j] = 22 * b * pow(1 - b, 1.5), y[N * N + i * N + j] = 27 * a * pow(1 - a, 1.5);
      }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double solve_ode(const Problem *p, double rtol, N_Vector y, long *steps) {
  N_VConst(0, y);
  start(p->name, data(y));
  evaluations = 0;
  double begun = now(), t;
  void *cv = CVodeCreate(p->stiff ? CV_BDF : CV_ADAMS, context);
  CVodeInit(cv, p->rhs, 0, y);
  CVodeSStolerances(cv, rtol, rtol * 1e-3 * (p->stiff == 2 ? 1000 : 1));
  CVodeSetMaxNumSteps(cv, 10000000);
  SUNMatrix m = NULL;
  SUNLinearSolver s = NULL;
  SUNNonlinearSolver nonlinear = NULL;
  if (p->stiff == 2) {
    m = SUNSparseMatrix(p->size, p->size, 6 * p->size, CSC_MAT, context);
    s = SUNLinSol_KLU(y, m, context);
    SUNLinSol_KLUSetOrdering(s, 0);
  } else if (p->stiff) {
    m = SUNDenseMatrix(p->size, p->size, context);
    s = SUNLinSol_Dense(y, m, context);
  } else {
    nonlinear = SUNNonlinSol_FixedPoint(y, 0, context);
    CVodeSetNonlinearSolver(cv, nonlinear);
  }
  if (m) {
    CVodeSetLinearSolver(cv, s, m);
    CVodeSetJacFn(cv, p->jacobian);
  }
  CVodeSetStopTime(cv, p->stop);
  if (CVode(cv, p->stop, y, &t, CV_NORMAL) < 0) exit(1);
  double taken = now() - begun;
  CVodeGetNumSteps(cv, steps);
  CVodeFree(&cv);
  if (m) SUNMatDestroy(m), SUNLinSolFree(s);
  if (nonlinear) SUNNonlinSolFree(nonlinear);
  return taken;
}

static double solve_robertson(double rtol, N_Vector y, long *steps) {
  N_Vector p = N_VClone(y), tolerance = N_VClone(y);
  N_VConst(0, y), N_VConst(0, p);
  data(y)[0] = 1, data(p)[0] = -0.04, data(p)[1] = 0.04;
  data(tolerance)[0] = data(tolerance)[2] = rtol * 1e-3, data(tolerance)[1] = rtol * 1e-6;
  evaluations = 0;
  double begun = now(), t;
  void *ida = IDACreate(context);
  IDAInit(ida, robertson, 0, y, p);
  IDASVtolerances(ida, rtol, tolerance);
  IDASetMaxNumSteps(ida, 10000000);
  SUNMatrix m = SUNDenseMatrix(3, 3, context);
  SUNLinearSolver s = SUNLinSol_Dense(y, m, context);
  IDASetLinearSolver(ida, s, m);
  IDASetJacFn(ida, robertson_jacobian);
  IDASetStopTime(ida, 4e6);
  if (IDASolve(ida, 4e6, &t, y, p, IDA_NORMAL) < 0) exit(1);
  double taken = now() - begun;
  IDAGetNumSteps(ida, steps);
  IDAFree(&ida), SUNMatDestroy(m), SUNLinSolFree(s), N_VDestroy(p), N_VDestroy(tolerance);
  return taken;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  double rtol = atof(arguments[2]), best = INFINITY;
  long steps = 0;
  SUNContext_Create(NULL, &context);
  const Problem *problem = NULL;
  for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
    if (!strcmp(problems[k].name, arguments[1])) problem = &problems[k];
  N_Vector y = N_VNew_Serial(problem ? problem->size : 3, context);
  for (int k = 0; k < atoi(arguments[3]); k++) {
    double taken = problem ? solve_ode(problem, rtol, y, &steps) : solve_robertson(rtol, y, &steps);
    if (taken < best) best = taken;
  }
  printf("%.9g %ld %ld", best, steps, evaluations);
  for (int k = 0; k < (problem ? problem->size : 3); k++) printf(" %.17g", data(y)[k]);
  printf("\n");
  return 0;
}
