/* The papers' classes as rules on numbers, and the verdicts. */
#include <math.h>
#include <string.h>

#include "study/workload/rules.h"
#include "test.h"

static struct workload_measured nothing(void)
{
	struct workload_measured m;
	measured_clear(&m);
	return m;
}

static bool is(const char *class, const char *wanted)
{
	bool same = class && !strcmp(class, wanted);
	if (!same)
		printf("# %s, not %s\n", class ? class : "(none)", wanted);
	return same;
}

/* ---- CIAO: APKI, IPC of gto, ciao-t, ciao-p ---- */

static const char *ciao(double apki, double gto, double t, double p, double recovered)
{
	struct workload_measured m = nothing();
	m.value[FACT_APKI] = apki;
	m.run[RULE_GTO].ipc = gto;
	m.run[RULE_CIAO_T].ipc = t;
	m.run[RULE_CIAO_P].ipc = p;
	m.run[RULE_GTO].l1_miss_rate = 0.8;
	m.run[RULE_UNBOUNDED_L1].l1_miss_rate = 0.2;
	m.run[RULE_LARGE_L1].l1_miss_rate = 0.8 - 0.6 * recovered;
	return rule_class(PAPER_CIAO, &m);
}

TEST(ciao_little_traffic_is_compute_intensive)
{
	/* Gaussian's APKI is 18, word count's 19. */
	CHECK(is(ciao(2, 1, 3, 3, 1), "CI"));
	CHECK(is(ciao(18, 1, 1, 1.4, 0), "CI"));
	CHECK(is(ciao(19, 1, 1, 1.4, 0), "SWS"));
}

TEST(ciao_the_better_remedy_tells_the_working_set)
{
	CHECK(is(ciao(64, 1, 1.48, 1, 1), "LWS"));
	CHECK(is(ciao(94, 1, 1, 1.28, 0), "SWS"));
	CHECK(is(ciao(94, 1, 1.2, 1.21, 0.9), "SWS"));
	CHECK(is(ciao(94, 1, 1.2, 1.21, 0.1), "LWS"));
}

TEST(what_was_not_simulated_has_no_class)
{
	struct workload_measured m = nothing();
	for (int paper = 0; paper < PAPER_COUNT; paper++)
		CHECK(!rule_class((enum workload_paper)paper, &m));
}

/* ---- OSM ---- */

static const char *osm(double bytes, double ctas, double without, double given)
{
	struct workload_measured m = nothing();
	m.smem_cta_bytes = bytes;
	m.ctas_per_sm = ctas;
	m.ctas_without_smem = without;
	m.ctas_given = given;
	return rule_class(PAPER_OSM, &m);
}

TEST(osm_asks_what_limits_ctas)
{
	CHECK(is(osm(0, NAN, NAN, NAN), "1"));
	CHECK(is(osm(4096, 8, 8, 100), "2"));
	CHECK(is(osm(40000, 2, 8, 100), "3"));
	CHECK(is(osm(40000, 2, 8, 2.1), "3"));
	CHECK(is(osm(40000, 2, 8, 2), "2")); /* all CTAs fit: nothing is limited */
}

/* ---- Tian ---- */

static const char *tian(double intensity)
{
	struct workload_measured m = nothing();
	m.value[FACT_MEMORY_INTENSITY] = intensity;
	return rule_class(PAPER_TIAN, &m);
}

TEST(tian_names_the_ends_of_its_table)
{
	CHECK(is(tian(202.7), "memory") && is(tian(395.6), "memory"));
	CHECK(is(tian(130.4), "neither") && is(tian(89.7), "neither"));
	CHECK(is(tian(76.2), "compute") && is(tian(14.2), "compute"));
}

/* ---- Khairy ---- */

struct khairy {
	double bypass, bypass_l1, bounded, unbounded, pric;        /* IPC */
	double l1_bounded, l1_unbounded, l2_bounded, l2_unbounded; /* hit rates */
};

static struct workload_measured measured_khairy(struct khairy k)
{
	struct workload_measured m = nothing();
	m.run[RULE_BYPASS].ipc = k.bypass;
	m.run[RULE_BYPASS_L1].ipc = k.bypass_l1;
	m.run[RULE_GTO] = (struct rule_numbers){
	    .ipc = k.bounded, .l1_miss_rate = 1 - k.l1_bounded, .l2_hit_rate = k.l2_bounded};
	m.run[RULE_UNBOUNDED] = (struct rule_numbers){
	    .ipc = k.unbounded, .l1_miss_rate = 1 - k.l1_unbounded, .l2_hit_rate = k.l2_unbounded};
	m.run[RULE_PRIC].ipc = k.pric;
	return m;
}

static const char *khairy(struct khairy k)
{
	struct workload_measured m = measured_khairy(k);
	return rule_class(PAPER_KHAIRY, &m);
}

TEST(khairy_streams_through_l1_are_told_by_l2)
{
	CHECK(is(khairy((struct khairy){1.2, 1.1, 1, 1.1, NAN, 0, 0.01, 0, 0.02}), "streaming"));
	/* Stores that never leave an L2 without end make it faster; hits it has none. */
	CHECK(is(khairy((struct khairy){0.99, 1, 1, 1.22, NAN, 0, 0, 0, 0}), "streaming"));
	CHECK(is(khairy((struct khairy){1.1, 1.1, 1, 1.2, NAN, 0, 0.02, 0.02, 0.8}), "large-l2"));
	CHECK(is(khairy((struct khairy){0.7, 1.1, 1, 1.1, NAN, 0, 0.1, 0.8, 0.78}), "streaming-l1"));
	/* Hits in half of its time, and yet better off without L1. */
	CHECK(is(khairy((struct khairy){0.98, 1.06, 1, 1.11, NAN, 0.37, 0.41, 0.36, 0.31}), "streaming-l1"));
}

TEST(khairy_friends_of_caches_get_nearly_all_of_them)
{
	CHECK(is(khairy((struct khairy){0.1, 0.5, 0.9, 1, NAN, 0.98, 0.98, 0.9, 0.9}), "friendly"));
	CHECK(is(khairy((struct khairy){0.1, 0.6, 1, 1.32, NAN, 0.8, 0.88, 0.6, 0.4}), "friendly"));
}

TEST(khairy_conflicts_go_with_another_index_and_thrashing_stays)
{
	CHECK(is(khairy((struct khairy){0.4, 0.8, 1, 3, 3, 0.4, 0.9, 0.8, 0.3}), "conflict"));
	CHECK(is(khairy((struct khairy){0.5, 0.6, 1, 5, 1.05, 0.02, 0.99, 1, 0}), "thrashing"));
	CHECK(is(khairy((struct khairy){3.6, 3.8, 1, 55, 4.5, 0, 0.97, 0.05, 0}), "thrashing+conflict"));
}

TEST(khairy_the_remedy_is_tried_on_contention_alone)
{
	struct workload_measured m = measured_khairy((struct khairy){0.5, 0.6, 1, 5, NAN, 0.02, 0.99, 1, 0});
	CHECK(!rule_class(PAPER_KHAIRY, &m));
	m = measured_khairy((struct khairy){0.1, 0.5, 0.9, 1, NAN, 0.98, 0.98, 0.9, 0.9});
	CHECK(is(rule_class(PAPER_KHAIRY, &m), "friendly"));
}

/* ---- verdicts ---- */

static enum verdict judge(enum workload_fact fact, double published, double measured)
{
	struct workload_published row = {.as = NULL};
	struct workload_measured m = nothing();
	row.value[fact] = published;
	m.value[fact] = measured;
	return rule_judge(&row, fact, &m, NULL);
}

TEST(what_is_measured_is_judged_by_the_kind_of_characteristic)
{
	static const struct {
		enum workload_fact fact;
		double published, measured;
		enum verdict verdict;
	} cases[] = {
	    /* Rates: a quarter off, or what rounds to the printed number. */
	    {FACT_APKI, 64, 80, VERDICT_OK},
	    {FACT_APKI, 64, 80.1, VERDICT_OFF},
	    {FACT_APKI, 64, 47.9, VERDICT_OFF},
	    {FACT_APKI, 1, 1.4, VERDICT_OK},
	    {FACT_APKI, 1, 1.6, VERDICT_OFF},
	    {FACT_MEMORY_INTENSITY, 14.2, 17.7, VERDICT_OK},
	    {FACT_MEMORY_INTENSITY, 14.2, NAN, VERDICT_OFF},
	    /* Few warps: within a factor; many are only shown. */
	    {FACT_N_WARP, 4, 6, VERDICT_OK},
	    {FACT_N_WARP, 6, 4, VERDICT_OK},
	    {FACT_N_WARP, 2, 4, VERDICT_OFF},
	    {FACT_N_WARP, 48, 8, VERDICT_INFO},
	    {FACT_N_WARP, 48, NAN, VERDICT_OFF},
	    /* Shared memory and barriers: equal. */
	    {FACT_F_SMEM_PERCENT, 33, 33.3, VERDICT_OK},
	    {FACT_F_SMEM_PERCENT, 33, 33.6, VERDICT_OFF},
	    {FACT_SMEM_KB, 64, 64, VERDICT_OK},
	    {FACT_SMEM_KB, 64, 32, VERDICT_OFF},
	    {FACT_BARRIERS, 1, 1, VERDICT_OK},
	    {FACT_BARRIERS, 0, 1, VERDICT_OFF},
	    {FACT_FOOTPRINT_KB, 10, 1000, VERDICT_INFO},
	    {FACT_L1_GAIN_PERCENT, 23.5, 0, VERDICT_INFO}, /* a mean: no program has to meet it */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_EQ(judge(cases[i].fact, cases[i].published, cases[i].measured), cases[i].verdict);
}

TEST(a_reason_explains_what_is_off_and_nothing_else)
{
	char class[] = "CI", why[] = "why";
	struct workload_published row = {.class = class, .reason = {[FACT_CLASS] = why, [FACT_APKI] = why}};
	struct workload_measured m = nothing();
	row.value[FACT_APKI] = 10;
	m.value[FACT_APKI] = 10;
	CHECK_EQ(rule_judge(&row, FACT_APKI, &m, NULL), VERDICT_OK);
	m.value[FACT_APKI] = 20;
	CHECK_EQ(rule_judge(&row, FACT_APKI, &m, NULL), VERDICT_EXPLAINED);
	CHECK_EQ(rule_judge(&row, FACT_CLASS, &m, "CI"), VERDICT_OK);
	CHECK_EQ(rule_judge(&row, FACT_CLASS, &m, "LWS"), VERDICT_EXPLAINED);
	CHECK_EQ(rule_judge(&row, FACT_CLASS, &m, NULL), VERDICT_EXPLAINED);
	row.reason[FACT_CLASS] = NULL;
	CHECK_EQ(rule_judge(&row, FACT_CLASS, &m, "LWS"), VERDICT_OFF);
}

TEST(the_carve_out_is_the_least_that_holds_it)
{
	static const double pairs[][2] = {{0, 0},      {1, 8},      {8192, 8},   {8193, 16},
	                                  {33000, 64}, {65537, 96}, {98304, 96}, {200000, 96}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		CHECK_EQ(rule_carve_kb(pairs[i][0]), pairs[i][1]);
}

TEST_RUN_ALL(true)
