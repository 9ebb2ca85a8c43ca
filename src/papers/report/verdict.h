/* The rule by which a claim counts as met (docs/experiments.md). */
#ifndef SLUICE_PAPERS_REPORT_VERDICT_H
#define SLUICE_PAPERS_REPORT_VERDICT_H

#include "papers/experiment/paper.h"

/* From best to worst. The worst of several parts counts, and the best of several published values. */
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
 * Gains are ratios to a baseline, rates are percent. A measured NaN is open. An order has no published value: `measured`
 * is 1 if it holds and 0 if not.
 */
enum claim_verdict verdict_of(enum claim_type type, enum claim_bound bound, double measured,
                              double published);
/* Judge an order; `direction` is 1 if its weaker form holds, 0 if not, NaN without one. */
enum claim_verdict verdict_of_order(double holds, double direction);
enum claim_verdict verdict_worse(enum claim_verdict a, enum claim_verdict b);
enum claim_verdict verdict_better(enum claim_verdict a, enum claim_verdict b);

#endif
