/* Validation as text tables. */
#ifndef SLUICE_LAB_VALIDATE_TEXT_H
#define SLUICE_LAB_VALIDATE_TEXT_H

#include <stdio.h>

#include "lab/experiment/validate.h"

/* One row per launch, then the summaries. */
void validate_print(FILE *out, const struct config *config, const struct validation *validation);

#endif
