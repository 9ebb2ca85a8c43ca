/* The rules of sluice advise: each decides at its threshold, and not below. */
#include <math.h>

#include "machine/machine.h"
#include "study/advise/advise.h"
#include "test.h"

/* A program that nothing speeds up and that issues a little. */
static struct advise_evidence plain(void)
{
	return (struct advise_evidence){.perfect_l1 = 1,
	                                .unbounded = 1,
	                                .interference_free = 1,
	                                .min = 1,
	                                .set_index = 1,
	                                .mshrs = 1,
	                                .l2 = 1,
	                                .dram = 1,
	                                .latency = 1,
	                                .issue = 0.2};
}

static enum advise_bound bound(struct advise_evidence e)
{
	return advise_judge(&e).bound;
}

/* Change the evidence so far, and check what it says then. */
#define CHECK_BOUND(change, want) CHECK_EQ((change, bound(e)), ADVISE_##want)

TEST(sms_without_ctas_come_before_everything)
{
	struct advise_evidence e = plain();
	e.dram = 3;
	e.perfect_l1 = 5;
	CHECK_BOUND(e.idle = 0.5, OCCUPANCY);
	CHECK_BOUND(e.idle = 0.49, DRAM);
}

TEST(a_stream_is_bound_by_dram_though_a_perfect_l1_would_be_much_faster)
{
	struct advise_evidence e = plain();
	e.perfect_l1 = 10;
	e.latency = 1.03;
	CHECK_BOUND(e.dram = 2.9, DRAM);
	CHECK(advise_judge(&e).relaxed == 2.9 && advise_judge(&e).possible == 1);
}

TEST(what_gains_less_than_a_tenth_is_no_cause)
{
	struct advise_evidence e = plain();
	e.perfect_l1 = 2;
	CHECK_BOUND(e.l2 = 1.0999, OTHER);
	CHECK_BOUND(e.l2 = 1.1001, L2);
}

TEST(latency_must_gain_twice_as_much_as_mshrs)
{
	struct advise_evidence e = plain();
	e.perfect_l1 = 3;
	e.mshrs = 1.2;
	CHECK_BOUND(e.latency = 1.39, MSHRS);
	CHECK_BOUND(e.latency = 1.41, LATENCY);
	e.mshrs = 1;
	CHECK_BOUND(e.latency = 1.11, LATENCY);
}

TEST(avoidable_misses_come_before_the_traffic_they_cause)
{
	struct advise_evidence e = plain();
	e.perfect_l1 = 3;
	e.dram = 2;
	CHECK_BOUND(e.unbounded = 1.81, CAPACITY);
	CHECK(advise_judge(&e).possible == 1.81);
	CHECK_BOUND(e.unbounded = 1.79, DRAM);
}

TEST(conflicts_are_what_a_set_index_cures)
{
	struct advise_evidence e = plain();
	e.perfect_l1 = 5;
	e.unbounded = 3;
	CHECK_BOUND(e.set_index = 2.01, CONFLICT);
	CHECK_BOUND(e.set_index = 1.99, CAPACITY);
}

TEST(counters_decide_only_where_memory_does_not_matter)
{
	struct advise_evidence e = plain();
	CHECK_BOUND(e.issue = 0.5, ISSUE);
	CHECK_BOUND(e.issue = 0.3, OTHER);
	CHECK_BOUND(e.pipes = 0.2, ISSUE);
	CHECK_BOUND(e.barriers = 0.3, BARRIERS);
	e.smem = 0.4;
	CHECK_BOUND(e.smem_conflicts = 0.39, BARRIERS);
	CHECK_BOUND(e.smem_conflicts = 0.4, SHARED_BANKS);
	CHECK_BOUND(e.perfect_l1 = e.latency = 1.2, LATENCY);
}

TEST(dependences_are_waits_for_arithmetic)
{
	struct advise_evidence e = plain();
	CHECK_BOUND(e.arithmetic = 0.3, DEPENDENCE);
	CHECK_BOUND(e.arithmetic = 0.29, OTHER);
}

TEST(runs_that_are_missing_say_nothing)
{
	struct advise_evidence e = plain();
	e.min = e.set_index = e.mshrs = e.interference_free = NAN;
	e.perfect_l1 = 4;
	e.unbounded = 2;
	CHECK_EQ(bound(e), ADVISE_CAPACITY);
	e.unbounded = NAN;
	e.dram = 1.5;
	CHECK_EQ(bound(e), ADVISE_DRAM);
	CHECK(advise_judge(&e).possible == 1);
}

TEST(a_share_is_of_what_was_possible)
{
	CHECK(fabs(advise_share(1.5, 3) - 0.25) < 1e-12);
	CHECK(fabs(advise_share(0.5, 3) + 0.25) < 1e-12);
	CHECK(isnan(advise_share(1.5, 1.02)));
}

/* Every what-if is a legal change of every machine, and changes what it says. */
TEST(every_machine_can_be_relaxed)
{
	static const char *const names[] = {"h200",     "v100",     "gtx480-ciao",
	                                    "gcn-tian", "v100-osm", "gtx780-lcm"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (size_t k = 0; k < advise_entry_count; k++) {
			struct error err = {{0}};
			struct config config;
			char changes[ADVISE_CHANGES_MAX][ADVISE_CHANGE_SIZE];
			const char *texts[ADVISE_CHANGES_MAX];
			struct machine *m = machine_load(names[i], &err);
			CHECK(m);
			size_t count = advise_relax(&advise_entries[k], m, changes);
			CHECK_EQ(count > 0, advise_entries[k].kind == ADVISE_WHAT_IF);
			for (size_t c = 0; c < count; c++)
				texts[c] = changes[c];
			bool ok = config_load(&config, names[i], "gto", texts, count, &err);
			if (!ok)
				printf("# %s with %s: %s\n", names[i], advise_entries[k].name, err.text);
			CHECK(ok);
			config_free(&config);
			machine_free(m);
		}
}

TEST_RUN_ALL(unsetenv("SLUICE_MACHINES") == 0)
