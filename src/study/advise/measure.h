/*
 * The runs behind advice. Fill the first members, call advise_plan(), open the trace of the batch, call
 * advise_measure(), and free the whole with advise_measurement_free(), after errors, too.
 */
#ifndef SLUICE_STUDY_ADVISE_MEASURE_H
#define SLUICE_STUDY_ADVISE_MEASURE_H

#include "base/args.h"
#include "study/advise/advise.h"

struct advise_measurement {
	struct batch *batch;
	const char *machine;
	const struct arg_texts *changes; /* to the machine */
	bool quick;                      /* one or two mechanisms of each family */
	/* Filled by the functions below. */
	struct advise_run *plan;
	struct batch_run *runs; /* one per run of the plan; the baseline is the first */
	size_t count;
	struct batch_run *swl; /* by limit - 1 */
	size_t swl_limits, swl_runs;
	bool stuck; /* the baseline makes no progress */
};

/* Load the configuration of every run. One that the machine cannot run is left out with the reason; the baseline must run. */
bool advise_plan(struct advise_measurement *measurement, struct error *err);
/* Simulate the plan: the baseline first, then the rest, then a search for the limit of Best-SWL. */
bool advise_measure(struct advise_measurement *measurement, struct error *err);
/* Return how many runs have results. */
size_t advise_measured(const struct advise_measurement *measurement);
void advise_measurement_free(struct advise_measurement *measurement);

#endif
