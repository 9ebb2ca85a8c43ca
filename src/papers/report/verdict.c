#include "papers/report/verdict.h"

#include <math.h>

const char *const claim_verdicts[CLAIM_VERDICTS] = {[CLAIM_MET] = "met",
                                                    [CLAIM_DIRECTION] = "direction",
                                                    [CLAIM_OPPOSITE] = "opposite",
                                                    [CLAIM_OPEN] = "open",
                                                    [CLAIM_NOT_MEASURABLE] = "not measurable"};

static const double GAIN_SHARE = 0.25;      /* of the published gain */
static const double BASELINE_SHARE = 0.02;  /* a gain below this is no change */
static const double NO_CHANGE_SHARE = 0.10; /* a published "no change" is wrong above this */
static const double RATE_POINTS = 3;
static const double RATE_SHARE = 0.10;
static const double QUANTITY_SHARE = 0.15;
static const double LEFT_SHARE = 0.2; /* of a published gain; below this no direction is left */
/* Tolerance of binary fractions: a value on the border counts as inside. */
static const double ROUNDING = 1e-9;

static bool within(double a, double b, double distance)
{
	return fabs(a - b) <= distance + ROUNDING;
}

/* Return the direction: the same sign and at least a fifth of the published value. */
static enum claim_verdict direction_of(double measured, double published)
{
	if (published == 0)
		return CLAIM_OPPOSITE;
	return measured / published >= LEFT_SHARE - ROUNDING ? CLAIM_DIRECTION : CLAIM_OPPOSITE;
}

static enum claim_verdict judge_gain(double measured, double published)
{
	double gain = measured - 1, expected = published - 1;
	bool no_change = within(expected, 0, BASELINE_SHARE);
	if (within(gain, expected, GAIN_SHARE * fabs(expected)) ||
	    (no_change && within(gain, 0, BASELINE_SHARE)))
		return CLAIM_MET;
	/* A published "no change" has no direction; a small change is not its opposite. */
	if (no_change)
		return within(gain, 0, NO_CHANGE_SHARE) ? CLAIM_DIRECTION : CLAIM_OPPOSITE;
	return direction_of(gain, expected);
}

static enum claim_verdict judge_rate(double measured, double published)
{
	if (within(measured, published, RATE_POINTS) ||
	    within(measured, published, RATE_SHARE * fabs(published)))
		return CLAIM_MET;
	return direction_of(measured, published);
}

static enum claim_verdict judge_quantity(double measured, double published)
{
	if (within(measured, published, QUANTITY_SHARE * fabs(published)))
		return CLAIM_MET;
	return direction_of(measured, published);
}

enum claim_verdict verdict_of(enum claim_type type, enum claim_bound bound, double measured, double published)
{
	if (isnan(measured))
		return CLAIM_OPEN;
	if (type == CLAIM_ORDER)
		return measured != 0 ? CLAIM_MET : CLAIM_OPPOSITE;
	enum claim_verdict verdict = type == CLAIM_GAIN   ? judge_gain(measured, published)
	                             : type == CLAIM_RATE ? judge_rate(measured, published)
	                                                  : judge_quantity(measured, published);
	if (bound == BOUND_NONE)
		return verdict;
	bool satisfied =
	    bound == BOUND_LEAST ? measured >= published - ROUNDING : measured <= published + ROUNDING;
	if (satisfied)
		return CLAIM_MET;
	return verdict == CLAIM_MET ? CLAIM_DIRECTION : verdict;
}

enum claim_verdict verdict_of_order(double holds, double direction)
{
	enum claim_verdict verdict = verdict_of(CLAIM_ORDER, BOUND_NONE, holds, NAN);
	return verdict == CLAIM_OPPOSITE && direction > 0 ? CLAIM_DIRECTION : verdict;
}

enum claim_verdict verdict_worse(enum claim_verdict a, enum claim_verdict b)
{
	return a > b ? a : b;
}

enum claim_verdict verdict_better(enum claim_verdict a, enum claim_verdict b)
{
	return a < b ? a : b;
}
