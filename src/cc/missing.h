/* Headers and libraries that a program uses and the host lacks. */
#ifndef SLUICE_CC_MISSING_H
#define SLUICE_CC_MISSING_H

#include "base/error.h"

struct cc_missing {
	char name[256]; /* the header, or -lLIBRARY; empty: none */
};
/* Look for a missing header or library in a line that a compiler or linker wrote. */
void cc_find_missing(struct cc_missing *missing, const char *line);
/* Say which package has it, or that it is not supported; leaves err alone if nothing is known of it. */
void cc_explain_missing(const struct cc_missing *missing, unsigned clang_major, struct error *err);

#endif
