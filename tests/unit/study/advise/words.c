/* What sluice advise says of each cause, of gains, of mechanisms and of lines. */
#include <math.h>

#include "study/advise/advise.h"
#include "test.h"

/* Runs that a report may have, each with its speed-up. */
static const struct advise_entry entries[] = {
    {"unbounded", ADVISE_LIMIT, NULL, "unbounded", true, false, "an L1 without limits"},
    {"mshrs", ADVISE_WHAT_IF, NULL, "gto", true, false, "more MSHRs"},
    {"l2-bandwidth", ADVISE_WHAT_IF, NULL, "gto", true, false, "more L2"},
    {"dram-bandwidth", ADVISE_WHAT_IF, NULL, "gto", true, false, "more DRAM"},
    {"latency", ADVISE_WHAT_IF, NULL, "gto", true, false, "less latency"},
    {"perfect-l1", ADVISE_LIMIT, NULL, "perfect-l1", true, false, "a perfect L1"},
    {"pric", ADVISE_MECHANISM, "set index", "pric", true, false, "another index"},
};
enum { RUNS = sizeof entries / sizeof *entries };
static char chain[] = "chain";
static const double speedups[RUNS] = {2, 1.5, 1.01, 3, NAN, 1.25, 1.75};

/* A report of a cause with everything known; the caller changes what it is about. */
struct fixture {
	struct advise_run plan[RUNS];
	struct batch_run run;
	struct advise_report report;
};

static void make(struct fixture *f, enum advise_bound bound, json_t *result)
{
	*f = (struct fixture){.run = {.result = result}};
	for (size_t i = 0; i < RUNS; i++)
		f->plan[i] =
		    (struct advise_run){.entry = &entries[i], .chain = chain, .speedup = speedups[i]};
	f->report = (struct advise_report){.plan = f->plan,
	                                   .runs = &f->run,
	                                   .count = RUNS,
	                                   .evidence = {.idle = 0.6,
	                                                .issue = 0.7,
	                                                .pipes = 0.2,
	                                                .barriers = 0.3,
	                                                .arithmetic = 0.4,
	                                                .smem_conflicts = 0.5},
	                                   .verdict = {.bound = bound, .relaxed = 1, .possible = 1}};
}

static bool has(const struct fixture *f, const char *words, bool wanted)
{
	char *text = advise_sentences(&f->report);
	bool ok = !strstr(text, words) != wanted;
	if (!ok)
		printf("# '%s' %s:\n%s", words, wanted ? "is not in" : "is in", text);
	free(text);
	return ok;
}

static bool says(const struct fixture *f, const char *words)
{
	return has(f, words, true);
}

static bool silent(const struct fixture *f, const char *words)
{
	return has(f, words, false);
}

TEST(every_cause_has_its_counters_and_its_witness)
{
	static const struct {
		enum advise_bound bound;
		const char *words;
	} cases[] = {
	    {ADVISE_OCCUPANCY, "In 60 % of the SM-cycles no CTA is resident.\n"},
	    {ADVISE_ISSUE, "70 % of the issue slots are used; 20 % of the SM-cycles wait for a pipe.\n"},
	    {ADVISE_SHARED_BANKS, "50 % of the passes through shared memory are due to bank conflicts.\n"},
	    {ADVISE_BARRIERS, "30 % of the SM-cycles wait at a barrier.\n"},
	    {ADVISE_DEPENDENCE, "40 % of the SM-cycles wait for an arithmetic result or a branch.\n"},
	    {ADVISE_CONFLICT,
	     "With an L1 without limits it would be 2.00 times as fast.\nWith another index it would be "
	     "1.75 times as fast.\n"},
	    {ADVISE_CAPACITY, "With an L1 without limits it would be 2.00 times as fast.\n"},
	    {ADVISE_MSHRS, "With more MSHRs it would be 1.50 times as fast.\n"},
	    {ADVISE_L2, "With more L2 it would gain nothing (1.01).\n"},
	    {ADVISE_DRAM, "With more DRAM it would be 3.00 times as fast.\n"},
	    {ADVISE_LATENCY,
	     ".\nPolicies of L1 have nothing to gain"}, /* that run has no speed-up to speak of */
	    {ADVISE_OTHER, "With a perfect L1 it would be 1.25 times as fast.\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fixture f;
		make(&f, cases[i].bound, NULL);
		CHECK(says(&f, cases[i].words));
		char first[160];
		snprintf(first, sizeof first, "Bound by %s.\n", advise_bound_words[cases[i].bound]);
		CHECK(says(&f, first));
		f.report.count = 0; /* nothing ran that could be a witness */
		CHECK(says(&f, first) && silent(&f, "With "));
	}
}

TEST(the_largest_stall_reason_is_named_where_no_rule_fits)
{
	struct fixture f;
	json_t *result = json_pack("{s:{s:{s:i, s:i, s:i, s:i}}}", "total", "counters", "sm_cycles", 300,
	                           "stall_idle", 200, "stall_long_scoreboard", 25, "stall_branch", 10);
	make(&f, ADVISE_OTHER, result);
	CHECK(says(&f, "The largest stall reason is long scoreboard, 25 % of the SM-cycles with a CTA.\n"));
	json_object_set_new(json_object_get(json_object_get(result, "total"), "counters"), "sm_cycles",
	                    json_integer(200));
	CHECK(silent(&f, "stall reason"));
	json_decref(result);
	result = json_pack("{s:{s:{s:i}}}", "total", "counters", "sm_cycles", 300);
	make(&f, ADVISE_OTHER, result);
	CHECK(silent(&f, "stall reason"));
	json_decref(result);
}

TEST(mechanisms_are_judged_by_what_was_possible)
{
	struct fixture f;
	make(&f, ADVISE_CAPACITY, NULL);
	CHECK(says(&f, "None of the mechanisms helps. Keep gto.\n"));
	f.report.best = &f.plan[RUNS - 1];
	f.report.verdict.possible = 2;
	CHECK(
	    says(&f, "What policies of L1 can gain at most: 2.00 times as fast, the best of the limits.\n"));
	CHECK(says(
	    &f, "What helps: set index, by chain: 1.75 times as fast as gto, 75 % of the possible gain.\n"));
	f.report.verdict.possible = 1.5;
	CHECK(says(&f, "1.75 times as fast as gto, more than an L1 without limits.\n"));
	f.report.verdict.possible = NAN;
	CHECK(says(&f, "1.75 times as fast as gto.\n"));
	f.plan[RUNS - 1].speedup = 1.001;
	CHECK(says(&f, "None of the mechanisms helps: the best, chain, is 1.00 times as fast. Keep gto.\n"));
}

TEST(lines_are_blamed_for_misses_alone)
{
	struct fixture f;
	make(&f, ADVISE_CAPACITY, NULL);
	f.report.line[0] =
	    (struct advise_line){.kernel = "k", .line = 12, .pc = "0x40", .missed = 60, .avoidable = 45};
	f.report.missed = 80;
	CHECK(silent(&f, "To blame")); /* no line is known */
	f.report.lines = 1;
	CHECK(says(
	    &f,
	    "To blame: line 12 of k, with 75 % of the L1 misses; an L1 without limits would avoid 75 % of them.\n"));
	f.report.line[0].line = 0;
	f.report.verdict.bound = ADVISE_CONFLICT;
	CHECK(says(
	    &f, "To blame: the instruction at 0x40 of k, with 75 % of the L1 misses; an L1 without limits"));
	f.report.verdict.bound = ADVISE_LATENCY;
	CHECK(says(&f, "To blame: the instruction at 0x40 of k, with 75 % of the L1 misses.\n"));
	f.report.verdict.bound = ADVISE_DEPENDENCE;
	CHECK(silent(&f, "To blame"));
	f.report.verdict.bound = ADVISE_BARRIERS;
	CHECK(silent(&f, "To blame"));
	f.report.verdict.bound = ADVISE_DRAM;
	f.report.missed = 0;
	CHECK(silent(&f, "To blame"));
}

TEST_RUN_ALL(true)
