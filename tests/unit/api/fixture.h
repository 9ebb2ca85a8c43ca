/* What the tests of libsluice share: a trace, a machine, and a cache of their own. */
#ifndef SLUICE_TESTS_UNIT_API_FIXTURE_H
#define SLUICE_TESTS_UNIT_API_FIXTURE_H

#include <sluice/sluice.h>

#include "lib/listed.h"
#include "scratch.h"

#define VECTORADD SLUICE_EXAMPLES "/traces/vectoradd"

static inline struct sluice_trace *vectoradd(void)
{
	struct sluice_error error;
	struct sluice_trace *trace = sluice_trace_open(VECTORADD, NULL, 0, NULL, &error);
	if (!trace)
		printf("# %s\n", error.text);
	return trace;
}

static inline struct sluice_machine *gtx480(void)
{
	return sluice_machine_open("gtx480-ciao", NULL, 0, NULL);
}

/* Those that most tests use; they are never changed. */
static struct sluice_trace *the_trace;
static struct sluice_machine *the_machine;

static inline bool api_enter(void)
{
	return !setenv("SLUICE_CACHE_DIR", scratch(), 1) && (the_trace = vectoradd()) &&
	       (the_machine = gtx480());
}

#endif
