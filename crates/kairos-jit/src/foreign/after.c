/* Stands after the code of a library: the functions of ModelicaUtilities.h.
   An error jumps back to the function that was called; no other code than C lies between. */
typedef struct kairos_text {
  struct kairos_text *kairos_next;
} kairos_text;
static kairos_text *kairos_texts = 0;
static char kairos_said[8192];
static void (*kairos_say)(int, const char *) = 0;

KAIROS_EXPORT void kairos_connect(void (*say)(int, const char *)) { kairos_say = say; }

KAIROS_EXPORT const char *kairos_error(void) { return kairos_said; }

KAIROS_EXPORT void kairos_release(void) {
  while (kairos_texts) {
    kairos_text *next = kairos_texts->kairos_next;
    free(kairos_texts);
    kairos_texts = next;
  }
}

/* What an external object may point to stays. */
KAIROS_EXPORT void kairos_retain(void) { kairos_texts = 0; }

static void kairos_tell(int kind, const char *text) {
  if (kairos_say) kairos_say(kind, text);
}

static void kairos_stop(void) {
  if (!kairos_current) {
    fprintf(stderr, "%s\n", kairos_said);
    abort();
  }
  longjmp(kairos_current->kairos_way_back, 1);
}

void ModelicaMessage(const char *text) { kairos_tell(0, text); }
void ModelicaWarning(const char *text) { kairos_tell(1, text); }

void ModelicaVFormatMessage(const char *format, va_list arguments) {
  char text[8192];
  vsnprintf(text, sizeof text, format, arguments);
  kairos_tell(0, text);
}

void ModelicaVFormatWarning(const char *format, va_list arguments) {
  char text[8192];
  vsnprintf(text, sizeof text, format, arguments);
  kairos_tell(1, text);
}

void ModelicaVFormatError(const char *format, va_list arguments) {
  vsnprintf(kairos_said, sizeof kairos_said, format, arguments);
  kairos_stop();
  abort();
}

void ModelicaFormatMessage(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ModelicaVFormatMessage(format, arguments);
  va_end(arguments);
}

void ModelicaFormatWarning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ModelicaVFormatWarning(format, arguments);
  va_end(arguments);
}

void ModelicaFormatError(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ModelicaVFormatError(format, arguments);
}

void ModelicaError(const char *text) { ModelicaFormatError("%s", text); }

char *ModelicaAllocateStringWithErrorReturn(size_t length) {
  kairos_text *text = length < (size_t)-1 - sizeof(kairos_text) ? malloc(sizeof(kairos_text) + length + 1) : 0;
  if (!text) return 0;
  text->kairos_next = kairos_texts;
  kairos_texts = text;
  memset(text + 1, 0, length + 1);
  return (char *)(text + 1);
}

char *ModelicaAllocateString(size_t length) {
  char *text = ModelicaAllocateStringWithErrorReturn(length);
  if (!text) ModelicaFormatError("there is no memory for a text of %lu characters", (unsigned long)length);
  return text;
}

char *ModelicaDuplicateStringWithErrorReturn(const char *text) {
  char *copy = ModelicaAllocateStringWithErrorReturn(strlen(text));
  if (copy) strcpy(copy, text);
  return copy;
}

char *ModelicaDuplicateString(const char *text) {
  return strcpy(ModelicaAllocateString(strlen(text)), text);
}
