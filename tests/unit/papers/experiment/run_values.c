/* Expressions over one run: totals, what observers saw, launches one by one, and what is refused. */
#include "lib/formula_fixture.h"
#include "machine/machine.h"
#include "papers/experiment/run_values.h"

/* Two launches: numbers, truths, lists and what is neither; the second has a larger matrix and counts nothing. */
static const char detail[] =
    "{\"total\": {\"counters\": {\"l1_misses\": 30, \"l1_bypasses\": 10, \"thread_insns\": 4000, \"warp_cycles\": 90,"
    "\"sm_cycles\": 50, \"stall_idle\": 20, \"dram_read_bytes\": 64, \"dram_write_bytes\": 32, \"cycles\": 5.5},"
    "\"metrics\": {\"ipc\": \"no number\"}, \"energy\": {\"total\": 2.5, \"power\": 40}},"
    "\"launches\": ["
    "{\"counters\": {\"warp_insns\": 10, \"cycles\": 100}, \"policy_counters\": {\"ccws\": {\"scores\": 7, \"word\": \"x\"}},"
    "\"look\": {\"reuse\": {\"zero_reuse_share\": 0.5, \"truth\": true},"
    "\"distance\": {\"requests\": [1, 2]}, \"sms\": {\"counters\": {\"l1_misses\": [3, 4]}}, \"series\": {\"ipc\": [1, 2, \"x\"]},"
    "\"matrix\": {\"lost\": [[1, 2], [3, 4]]}}},"
    "{\"counters\": {\"warp_insns\": 30, \"cycles\": 50}, \"policy_counters\": {\"ccws\": {\"scores\": 5}},"
    "\"look\": {\"reuse\": {\"zero_reuse_share\": null}, \"series\": {\"ipc\": [4]},"
    "\"matrix\": {\"lost\": [[1, 1, 9], [1, 1, 9], [9, 9, 9]]}}}]}";

/* The run of `detail`, with everything known. */
struct fixture {
	json_t *json;
	struct machine *machine;
	struct run_totals totals;
	double facts[TRACE_FACTS_COUNT];
	struct run_values values;
	struct formula_scope scope;
};

static bool open_run(struct fixture *f)
{
	static const char *const found_name[] = {"n", "m"};
	static const double found[] = {8, 9};
	struct error err = {{0}};
	*f = (struct fixture){.json = json_loads(detail, 0, NULL),
	                      .machine = machine_load("gtx480-ciao", &err)};
	if (!f->json || !f->machine)
		return false;
	run_totals_read(&f->totals, f->json);
	f->totals.wall_s = 1.5;
	f->facts[TRACE_FACT_launches] = 2;
	f->values = (struct run_values){.totals = &f->totals,
	                                .detail = f->json,
	                                .facts = f->facts,
	                                .machine = f->machine,
	                                .look = "series,matrix,reuse,distance,sms",
	                                .found_name = found_name,
	                                .found = found,
	                                .founds = 2};
	f->scope = run_scope(&f->values);
	return true;
}

static void close_run(struct fixture *f)
{
	json_decref(f->json);
	machine_free(f->machine);
}

TEST(totals_are_counters_metrics_energy_and_what_is_compared)
{
	struct fixture f;
	CHECK(open_run(&f));
	VALUES_IN(&f.scope, {"cycles", 5.5}, {"l1_hits", NAN}, {"ipc", NAN} /* absent, and no number */,
	          {"mpki", 10}, {"active_warps", 3}, {"dram_bytes", 96}, {"wall_s", 1.5},
	          {"energy.total", 2.5}, {"energy.power", 40}, {"trace.launches", 2}, {"found.m", 9},
	          {"found.k", NAN}, {"machine(\"sm.warps\")", 48}, {"machine(\"l1d.enabled\")", 1},
	          {"machine(\"l2.replacement\") == \"lru\"", 1},
	          {"machine(\"gtx480-ciao\", \"sm.warps\")", 48});
	f.totals.counter[COUNT_thread_insns] = 0;
	VALUES_IN(&f.scope, {"mpki", NAN});
	close_run(&f);
}

TEST(what_observers_saw_is_a_vector_over_launches_or_a_sum_of_matrices)
{
	struct fixture f;
	CHECK(open_run(&f));
	VALUES_IN(&f.scope, {"count(missing(look.reuse.zero_reuse_share))", 1},
	          {"max(if(missing(look.series.ipc), 0, look.series.ipc))", 4},
	          {"count(missing(look.series.ipc))", 1}, {"count(look.series.ipc > 0)", NAN});
	/* Launches are summed within the size of the first one's matrix. */
	VALUES_IN(&f.scope, {"cell(look.matrix.lost, 0, 1)", 3}, {"sum(offdiag(look.matrix.lost))", 7},
	          {"cell(look.matrix.lost, 0 - 1, 0)", NAN}, {"cell(look.matrix.lost, 0, 0 - 1)", NAN},
	          {"cell(look.matrix.lost, 0, 2)", NAN}, {"policy(\"ccws\", \"scores\")", 12},
	          {"policy(\"ccws\", \"word\")", 0}, {"sum(look.distance.requests)", 3},
	          {"sum(look.sms.counters.l1_misses)", 7}, {"policy(\"none\", \"scores\")", 0});
	close_run(&f);
}

TEST(launches_are_asked_one_by_one)
{
	struct fixture f;
	CHECK(open_run(&f));
	VALUES_IN(
	    &f.scope, {"at(1, cycles)", 100}, {"at(2, cycles)", 50}, {"at(3, cycles)", NAN},
	    {"at(0, cycles)", NAN}, {"sum(each(cycles))", 150}, {"at(2, cell(look.matrix.lost, 2, 2))", 9},
	    {"wmean(each(cycles))", (10 * 100 + 30 * 50) / 40.}, {"wmean(look.reuse.zero_reuse_share)", 0.5},
	    {"wmean(look.series.ipc)", NAN} /* not a value per launch */,
	    {"correlation(each(cycles), each(warp_insns))", -1},
	    {"correlation(each(cycles), each(cycles * 0 + 1))", NAN},
	    {"correlation(each(cycles * 0 + 1), each(cycles))", NAN});
	close_run(&f);
}

TEST(nothing_is_known_of_a_run_that_is_not_there)
{
	const struct run_values dry = {.dry = true, .look = "all"}, bare = {.look = "matrix"};
	const struct formula_scope dry_scope = run_scope(&dry), bare_scope = run_scope(&bare);
	VALUES_IN(&dry_scope, {"cycles", NAN}, {"ipc", NAN}, {"mpki", NAN}, {"energy.total", NAN},
	          {"trace.insns", NAN}, {"found.n", NAN}, {"sum(look.series.ipc)", NAN});
	VALUES_IN(&bare_scope, {"sum(offdiag(look.matrix.lost))", NAN});
	VALUES_IN(&dry_scope, {"policy(\"ccws\", \"scores\")", NAN}, {"sum(each(cycles))", NAN},
	          {"machine(\"sm.warps\")", NAN}, {"wmean(each(cycles))", NAN}, {"at(1, cycles)", NAN});
}

TEST(what_a_run_does_not_know_is_refused_with_a_suggestion)
{
	struct fixture f;
	CHECK(open_run(&f));
	REFUSES_IN(
	    &f.scope, {"cycels", "f.yaml:3:1: unknown metric 'cycels'; did you mean 'cycles'?"},
	    {"xyzzy", "f.yaml:3:1: unknown metric 'xyzzy'"},
	    {"energy.totl", "f.yaml:3:1: unknown metric 'energy.totl'; did you mean 'energy.total'?"},
	    {"trace.launchs", "f.yaml:3:1: unknown metric 'trace.launchs'; did you mean 'trace.launches'?"},
	    {"look.serie.ipc", "f.yaml:3:1: there is no look 'serie'; docs/looking-inside.md has them"},
	    {"look.series.ipcc",
	     "f.yaml:3:1: look.series has no field 'ipcc'; docs/looking-inside.md has them"},
	    {"sum(look.locality.hits)",
	     "f.yaml:3:5: look.locality has no field 'hits'; docs/looking-inside.md has them"},
	    {"sum(look.shared.unread)",
	     "f.yaml:3:5: look.shared needs 'look: shared' in the figure or series"},
	    {"policy(3, \"a\")", "f.yaml:3:8: policy: argument 1 must be a text in quotes"},
	    {"policy(\"a\")", "f.yaml:3:1: policy: argument 2 must be a text in quotes"},
	    {"at(1)", "f.yaml:3:1: at(LAUNCH, expression)"},
	    {"at(\"a\", cycles)", "f.yaml:3:4: at: argument 1 must be a number"},
	    {"at(1, cycels)", "f.yaml:3:7: unknown metric 'cycels'; did you mean 'cycles'?"},
	    {"each()", "f.yaml:3:1: each(expression): a number per launch"},
	    {"each(cycles, cycles)", "f.yaml:3:1: each(expression): a number per launch"},
	    {"each(look.series.ipc)", "f.yaml:3:1: each(expression): a number per launch"},
	    {"each(\"a\")", "f.yaml:3:1: each(expression): a number per launch"},
	    {"each(cycels)", "f.yaml:3:6: unknown metric 'cycels'; did you mean 'cycles'?"},
	    {"wmean()", "f.yaml:3:1: wmean(vector)"},
	    {"wmean(cycels)", "f.yaml:3:7: unknown metric 'cycels'; did you mean 'cycles'?"},
	    {"wmean(cycles)", "f.yaml:3:1: wmean needs a vector over launches"},
	    {"machine(3)", "f.yaml:3:9: machine: argument 1 must be a text in quotes"},
	    {"machine(\"sm.elephants\")", "f.yaml:3:1: no key 'sm.elephants' of a machine"},
	    {"rows()", "f.yaml:3:1: rows of nothing"},
	    {"rows(cycels)", "f.yaml:3:6: unknown metric 'cycels'; did you mean 'cycles'?"},
	    {"rows(cycles)", "f.yaml:3:1: rows needs a matrix, such as look.matrix.lost"},
	    {"cell(look.matrix.lost, 1)", "f.yaml:3:1: cell: argument 3 is missing"},
	    {"row(look.matrix.lost, \"a\")", "f.yaml:3:23: row: argument 2 must be a number"},
	    {"correlation(cycles)", "f.yaml:3:1: correlation(a, b)"},
	    {"correlation(cycels, cycles)", "f.yaml:3:13: unknown metric 'cycels'; did you mean 'cycles'?"},
	    {"correlation(cycles, cycels)", "f.yaml:3:21: unknown metric 'cycels'; did you mean 'cycles'?"},
	    {"correlation(cycles, cycles)", "f.yaml:3:1: correlation needs two vectors of the same length"},
	    {"correlation(each(cycles), cycles)",
	     "f.yaml:3:1: correlation needs two vectors of the same length"},
	    {"correlation(each(cycles), look.series.ipc)",
	     "f.yaml:3:1: correlation needs two vectors of the same length"});
	close_run(&f);
}

static bool asks(bool (*what)(const struct formula *formula), const char *text)
{
	struct formula *formula = formula_parse(text, "", 0, 0, NULL);
	bool answer = what(formula);
	formula_free(formula);
	return answer;
}

TEST(a_formula_says_what_it_needs)
{
	static const char *const plain[] = {"cycles + 1", "max(cycles, 2)", "found.n"},
	                         *const more[] = {"sum(look.series.ipc)", "at(1, cycles)",
	                                          "sum(each(cycles))", "1 + policy(\"a\", \"b\")"};
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		CHECK(!asks(run_needs_detail, plain[i]) && !asks(run_needs_facts, plain[i]));
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		CHECK(asks(run_needs_detail, more[i]));
	CHECK(asks(run_needs_facts, "1 + trace.insns"));
	CHECK(!strcmp(run_unit("energy.total"), "J") && !strcmp(run_unit("nothing"), ""));
	CHECK(!strcmp(run_unit("cycles"), "cycles") && *run_unit("l1_load_hit_rate"));
}

TEST_RUN_ALL(true)
