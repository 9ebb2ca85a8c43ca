/* When a claim is met, and when not: the borders of the rule in docs/experiments.md. */
#include <math.h>

#include "papers/report/verdict.h"
#include "test.h"

struct judged {
	double measured, published;
	enum claim_verdict wanted;
};

static bool verdicts_are(enum claim_type type, enum claim_bound bound, const struct judged *cases,
                         size_t count)
{
	bool all = true;
	for (size_t i = 0; i < count; i++) {
		enum claim_verdict got = verdict_of(type, bound, cases[i].measured, cases[i].published);
		if (got != cases[i].wanted)
			printf("# %g for %g is %s\n", cases[i].measured, cases[i].published,
			       claim_verdicts[got]);
		all &= got == cases[i].wanted;
	}
	return all;
}
#define JUDGED(type, bound, ...)                                                                             \
	do {                                                                                                 \
		static const struct judged cases_[] = {__VA_ARGS__};                                         \
		CHECK(verdicts_are(type, bound, cases_, sizeof cases_ / sizeof *cases_));                    \
	} while (0)

TEST(a_gain_is_met_within_a_quarter_of_the_gain)
{
	JUDGED(CLAIM_GAIN, BOUND_NONE, {1.56, 1.56, CLAIM_MET}, {1.42, 1.56, CLAIM_MET},
	       {1.70, 1.56, CLAIM_MET}, {1.41, 1.56, CLAIM_DIRECTION}, {1.71, 1.56, CLAIM_DIRECTION},
	       {21 * 0.77, 21, CLAIM_MET}, {10, 21, CLAIM_DIRECTION});
}

TEST(nothing_is_met_by_being_near_one)
{
	JUDGED(CLAIM_GAIN, BOUND_NONE, {1.00, 1.10, CLAIM_OPPOSITE},
	       {1.02, 1.10, CLAIM_DIRECTION} /* a fifth of it is left */, {1.019, 1.10, CLAIM_OPPOSITE},
	       {1.00, 1.04, CLAIM_OPPOSITE}, {1.00, 1.02, CLAIM_MET} /* both within 2 % of the baseline */,
	       {0.98, 1.02, CLAIM_MET}, {1.02, 0.98, CLAIM_MET});
}

TEST(a_gain_that_is_a_loss_is_the_opposite)
{
	JUDGED(CLAIM_GAIN, BOUND_NONE, {0.9, 1.3, CLAIM_OPPOSITE},
	       {1.1, 0.85, CLAIM_OPPOSITE} /* energy that should fall */, {0.86, 0.85, CLAIM_MET},
	       {0.7, 0.85, CLAIM_DIRECTION},
	       {0.98, 0.85, CLAIM_OPPOSITE} /* less than a fifth of it is left */);
}

TEST(no_change_has_no_direction)
{
	JUDGED(CLAIM_GAIN, BOUND_NONE, {1.02, 1.0, CLAIM_MET}, {1.05, 1.0, CLAIM_DIRECTION},
	       {0.91, 1.0, CLAIM_DIRECTION}, {1.3, 1.0, CLAIM_OPPOSITE}, {0.5, 1.0, CLAIM_OPPOSITE});
}

TEST(a_rate_is_met_within_three_points_or_a_tenth)
{
	JUDGED(CLAIM_RATE, BOUND_NONE, {61, 58, CLAIM_MET}, {63.8, 58, CLAIM_MET}, {64, 58, CLAIM_DIRECTION},
	       {15, 12, CLAIM_MET}, {15.1, 12, CLAIM_DIRECTION},
	       {11, 58, CLAIM_OPPOSITE} /* less than a fifth */, {-20, 58, CLAIM_OPPOSITE},
	       {2.9, 0, CLAIM_MET}, {33, 0, CLAIM_OPPOSITE});
}

TEST(a_quantity_is_met_within_fifteen_percent)
{
	JUDGED(CLAIM_QUANTITY, BOUND_NONE, {115, 100, CLAIM_MET}, {85, 100, CLAIM_MET},
	       {116, 100, CLAIM_DIRECTION}, {19, 100, CLAIM_OPPOSITE}, {0, 0, CLAIM_MET},
	       {1, 0, CLAIM_OPPOSITE});
}

TEST(an_order_holds_or_not)
{
	CHECK_EQ(verdict_of_order(1, NAN), CLAIM_MET);
	CHECK_EQ(verdict_of_order(0, NAN), CLAIM_OPPOSITE);
	CHECK_EQ(verdict_of_order(0, 0), CLAIM_OPPOSITE);
	CHECK_EQ(verdict_of_order(0, 1), CLAIM_DIRECTION);
	CHECK_EQ(verdict_of_order(1, 0), CLAIM_MET);
	CHECK_EQ(verdict_of_order(NAN, 1), CLAIM_OPEN);
}

TEST(a_bound_is_satisfied_or_at_most_a_direction)
{
	JUDGED(CLAIM_RATE, BOUND_LEAST, {95, 80, CLAIM_MET}, {79, 80, CLAIM_DIRECTION},
	       {10, 80, CLAIM_OPPOSITE});
	JUDGED(CLAIM_QUANTITY, BOUND_MOST, {1, 15, CLAIM_MET}, {16, 15, CLAIM_DIRECTION});
	JUDGED(CLAIM_GAIN, BOUND_LEAST, {0.99, 1.0, CLAIM_DIRECTION});
}

TEST(what_is_missing_is_open)
{
	JUDGED(CLAIM_GAIN, BOUND_NONE, {NAN, 1.5, CLAIM_OPEN});
	JUDGED(CLAIM_RATE, BOUND_NONE, {NAN, 0, CLAIM_OPEN});
	JUDGED(CLAIM_QUANTITY, BOUND_MOST, {NAN, 1, CLAIM_OPEN});
}

TEST(of_parts_the_worst_counts_and_of_published_values_the_best)
{
	CHECK_EQ(verdict_worse(CLAIM_MET, CLAIM_OPPOSITE), CLAIM_OPPOSITE);
	CHECK_EQ(verdict_worse(CLAIM_OPEN, CLAIM_OPPOSITE), CLAIM_OPEN);
	CHECK_EQ(verdict_better(CLAIM_DIRECTION, CLAIM_MET), CLAIM_MET);
	CHECK_EQ(verdict_better(verdict_of(CLAIM_GAIN, BOUND_NONE, 2.0, 2.37),
	                        verdict_of(CLAIM_GAIN, BOUND_NONE, 2.0, 2.05)),
	         CLAIM_MET);
}

TEST_RUN_ALL(true)
