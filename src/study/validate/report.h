/* A validation as tables and as JSON. */
#ifndef SLUICE_STUDY_VALIDATE_REPORT_H
#define SLUICE_STUDY_VALIDATE_REPORT_H

#include <stdio.h>

#include "study/validate/validate.h"

struct validate_facts {
	const struct config *config;
	const char *const *changes; /* to the machine, "section.key=value" */
	size_t change_count;
};

/* Print one row per launch, then the summaries. */
void validate_print(FILE *out, const struct config *config, const struct validation *validation);
/* Return JSON that does not depend on the thread count or the host; the caller frees it. */
char *json_write_validation(const struct validate_facts *facts, const struct validation *validation);

#endif
