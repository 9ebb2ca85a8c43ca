/* What the translation units of several_files share. */
#ifndef SLUICE_CONFORMANCE_SEVERAL_FILES_H
#define SLUICE_CONFORMANCE_SEVERAL_FILES_H

#include "check.h"

enum { COUNT = 48 };

void first_launch(int *out);
void second_launch(int *out);

#endif
