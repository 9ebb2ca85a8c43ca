/* Validation as JSON and as a page. */
#ifndef SLUICE_STUDY_VALIDATE_VALIDATE_JSON_H
#define SLUICE_STUDY_VALIDATE_VALIDATE_JSON_H

#include "study/validate/validate.h"

/* What was validated. */
struct validate_facts {
	const struct config *config;
	const char *const *changes; /* to the machine, "section.key=value" */
	size_t change_count;
};

/* Text ended by a newline, the same for any thread count and host; the caller frees it. */
char *json_write_validation(const struct validate_facts *facts, const struct validation *validation);

#endif
