/* Functions that external C code may call (MLS 12.9.6). */
#ifndef MODELICA_UTILITIES_H
#define MODELICA_UTILITIES_H
#include <stddef.h>
#include <stdarg.h>
#if defined(__GNUC__) || defined(__clang__)
#define KAIROS_NO_RETURN __attribute__((noreturn))
#else
#define KAIROS_NO_RETURN
#endif
#ifdef __cplusplus
extern "C" {
#endif
void ModelicaMessage(const char *text);
void ModelicaWarning(const char *text);
void ModelicaError(const char *text) KAIROS_NO_RETURN;
void ModelicaFormatMessage(const char *format, ...);
void ModelicaFormatWarning(const char *format, ...);
void ModelicaFormatError(const char *format, ...) KAIROS_NO_RETURN;
void ModelicaVFormatMessage(const char *format, va_list arguments);
void ModelicaVFormatWarning(const char *format, va_list arguments);
void ModelicaVFormatError(const char *format, va_list arguments) KAIROS_NO_RETURN;
char *ModelicaAllocateString(size_t length);
char *ModelicaAllocateStringWithErrorReturn(size_t length);
char *ModelicaDuplicateString(const char *text);
char *ModelicaDuplicateStringWithErrorReturn(const char *text);
#ifdef __cplusplus
}
#endif
#endif
