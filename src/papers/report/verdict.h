/* When a claim counts as met: the one place that says so. docs/experiments.md has the rule in words. */
#ifndef SLUICE_PAPERS_REPORT_VERDICT_H
#define SLUICE_PAPERS_REPORT_VERDICT_H

#include "papers/experiment/paper.h"

/* From best to worst; of several parts the worst counts, of several published values the best. */
enum claim_verdict {
	CLAIM_MET,
	CLAIM_DIRECTION,
	CLAIM_OPPOSITE,
	CLAIM_OPEN,
	CLAIM_NOT_MEASURABLE,
	CLAIM_VERDICTS
};
extern const char *const claim_verdicts[CLAIM_VERDICTS];

/*
 * Gains: both are ratios to a baseline. Rates: percent. A measured NaN is open.
 * Orders have no published value: `measured` is whether it holds.
 */
enum claim_verdict verdict_of(enum claim_type type, enum claim_bound bound, double measured,
                              double published);
/* An order that does not hold, whose weaker form may: NaN, 0 or 1. */
enum claim_verdict verdict_of_order(double holds, double direction);
enum claim_verdict verdict_worse(enum claim_verdict a, enum claim_verdict b);
enum claim_verdict verdict_better(enum claim_verdict a, enum claim_verdict b);

#endif
