/* Stands before the code of a library: the headers it may rely on, and what calls are made of. */
#include <stddef.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <setjmp.h>
#include "ModelicaUtilities.h"
#ifdef _WIN32
#define KAIROS_EXPORT __declspec(dllexport)
#else
#define KAIROS_EXPORT
#endif
typedef union kairos_word {
  double kairos_number;
  long long kairos_whole;
  void *kairos_place;
} kairos_word;
typedef struct kairos_guard {
  jmp_buf kairos_way_back;
  struct kairos_guard *kairos_outer;
} kairos_guard;
static kairos_guard *kairos_current = 0;
