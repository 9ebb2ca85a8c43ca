/* Checks and changes of PTX that clang made. */
#ifndef SLUICE_CC_DEVICE_CODE_H
#define SLUICE_CC_DEVICE_CODE_H

#include <stdio.h>

#include "base/error.h"

/* Refuse PTX that uses device functions or variables of another file, which -rdc=true would allow; err names the first. */
bool cc_check_ptx(const char *ptx, const char *source, struct error *err);
/* Write a warning to `out` for each instruction that the runtime does not support, with its line in the source. */
void cc_warn_unsupported(FILE *out, const char *ptx, const char *source);
/* Write a warning for each kernel without a body, in code for an older architecture than was asked for. */
void cc_warn_empty(FILE *out, const char *ptx, const char *source, unsigned made_for, unsigned asked_for);
/* Return a copy in which no kernel takes more registers per thread; the caller frees it. */
char *cc_limit_registers(const char *ptx, unsigned registers);

#endif
