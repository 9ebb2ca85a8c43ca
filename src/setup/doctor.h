/* What this installation and this machine lack, and how to get it. */
#ifndef SLUICE_SETUP_DOCTOR_H
#define SLUICE_SETUP_DOCTOR_H

#include <stddef.h>

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_OPTIONAL, /* one feature does not work */
	DOCTOR_MISSING   /* sluice needs it */
};

enum { DOCTOR_CHECKS_MAX = 24, DOCTOR_TEXT_SIZE = 1200 };

struct doctor_check {
	const char *name;
	enum doctor_state state;
	char found[DOCTOR_TEXT_SIZE];  /* what there is, or what is wrong */
	char remedy[DOCTOR_TEXT_SIZE]; /* how to get it; empty if it is there */
};
struct doctor_report {
	struct doctor_check check[DOCTOR_CHECKS_MAX];
	size_t count;
};

/* Check everything; the order of the checks does not change. */
void doctor_examine(struct doctor_report *report);

#endif
