/* Validation as text tables. */
#ifndef SLUICE_STUDY_VALIDATE_VALIDATE_TEXT_H
#define SLUICE_STUDY_VALIDATE_VALIDATE_TEXT_H

#include <stdio.h>

#include "study/validate/validate.h"

/* One row per launch, then the summaries. */
void validate_print(FILE *out, const struct config *config, const struct validation *validation);

#endif
