/* Experiments are loaded strictly: what is refused, with line and column, and what the rest is read as. */
#include "lib/reproduce_fixture.h"

/* A series with keys, and series B after a series A that searches n. */
#define GTO(keys, message) SERIES_OF("{label: A, policy: gto, " keys "}", message)
#define AFTER_A(policy, message)                                                                             \
	SERIES_OF("{label: A, policy: \"swl:n={n}\", search: {n: [1, 2]}}, {label: B, policy: " policy "}",  \
	          message)
#define NO_RANGE(value)                                                                                      \
	LINE("sweep: {n: " value "}",                                                                        \
	     "12: expected a list, a range such as 1..24, or 1..64 x2 for n, found " value)

TEST(what_is_no_experiment_is_refused)
{
	REFUSES(((const struct refusal[]){
	    {"", "e.yaml:1:1: the file is empty"},
	    {"machine: [\n",
	     "e.yaml:2:1: not valid YAML: while parsing a flow node, did not find expected node content"},
	    {"- a\n", "e.yaml:1:1: expected keys such as 'name:' and sections such as 'sm:'"},
	    {"plain\n", "e.yaml:1:1: expected keys such as 'name:' and sections such as 'sm:'"},
	    {"machine: gtx480-ciao\nmachine: gtx480-ciao\nworkloads: [one]\n" SERIES,
	     "e.yaml:2:1: 'machine' is given twice; first on line 1"},
	    {"machine: gtx480-ciao\nworkload: one\n",
	     "e.yaml:2:1: unknown key 'workload'; did you mean 'workloads'?"},
	    {"machine: gtx480-ciao\nxyzzy: one\n", "e.yaml:2:1: unknown key 'xyzzy'"},
	    {"machine: {a: 1}\nworkloads: [one]\n" SERIES,
	     "e.yaml:1:10: expected one line of text for machine, found a group of keys"},
	    {"machine:\nworkloads: [one]\n" SERIES,
	     "e.yaml:1:9: expected one line of text for machine, found nothing"},
	    {"machine: \"a\\tb\"\nworkloads: [one]\n" SERIES,
	     "e.yaml:1:10: expected one line of text for machine, found a?b"},
	    {"machine: \"a\\x7fb\"\nworkloads: [one]\n" SERIES,
	     "e.yaml:1:10: expected one line of text for machine, found a?b"},
	    {"workloads: [one]\n" SERIES, "e.yaml:1:1: the key 'machine' is missing"}}));
}

TEST(a_bad_head_is_refused_with_its_place)
{
	REFUSES(((const struct refusal[]){
	    LINE("title: [a]", "8: expected one line of text for title, found a list"),
	    LINE("where: [a]", "8: expected one line of text for where, found a list"),
	    LINE("note: [a]", "7: expected one line of text for note, found a list"),
	    LINE("kernels: [a]", "10: expected one line of text for kernels, found a list"),
	    LINE("look: [a]", "7: expected one line of text for look, found a list"),
	    LINE("kernels: 5-3", "10: --kernel: the range 5-3 runs backwards"),
	    LINE("set: 3", "6: expected {section.key: value} for set, found 3"),
	    LINE("set: {l1d.ways: [1]}", "17: expected a value for l1d.ways, found a list"),
	    LINE(
	        "set: {l1d.ways: 99999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999}",
	        "17: expected a short value for l1d.ways, found 99999999999999999999999999999999999999999999..."),
	    LINE("size: huge", "7: expected tiny, small or paper for size, found huge"),
	    LINE("size: [a]", "7: expected tiny, small or paper for size, found a list"),
	    LINE("insns: 0", "8: expected a number such as 500K or 20M for insns, found 0"),
	    LINE("insns: [1]", "8: expected a number such as 500K or 20M for insns, found a list"),
	    LINE("insns:", "7: expected a number such as 500K or 20M for insns, found nothing"),
	    LINE("insns: 5T", "8: expected a number such as 500K or 20M for insns, found 5T"),
	    LINE("cold_l2: maybe", "10: expected yes or no for cold_l2, found maybe"),
	    LINE("cold_l2: [yes]", "10: expected yes or no for cold_l2, found a list"),
	    LINE("quick: 3", "8: expected a group of keys for quick, found 3"),
	    LINE("quick: {siz: tiny}", "9: unknown key of quick 'siz'; did you mean 'size'?"),
	    LINE("quick: {size: huge}", "15: expected tiny, small or paper for size, found huge")}));
}

TEST(unknown_workloads_are_refused_with_a_suggestion)
{
	REFUSES(((const struct refusal[]){
	    {"machine: gtx480-ciao\n" SERIES, "e.yaml:1:1: the key 'workloads' is missing"},
	    WORKLOADS("[oen]", "13: no workload, set or class 'oen'; did you mean 'one'?"),
	    WORKLOADS("elephant", "12: no workload, set or class 'elephant'"),
	    WORKLOADS("[[one]]", "13: expected a workload, set or class, found a list"),
	    WORKLOADS("[]", "12: no workloads in it"),
	    WORKLOADS("[{}]", "13: expected one of name, program and trace"),
	    WORKLOADS("[{name: one, trace: a.sluice}]", "13: expected one of name, program and trace"),
	    WORKLOADS("[{name: [a]}]", "20: expected a workload for name, found a list"),
	    WORKLOADS("[{name: thre}]", "20: no workload, set or class 'thre'; did you mean 'three'?"),
	    WORKLOADS("[{program: }]", "23: expected a path for program, found nothing"),
	    WORKLOADS("[{program: [a]}]", "23: expected a path for program, found a list"),
	    WORKLOADS("[{trace: none.sluice}]", "21: ./none.sluice: cannot be read"),
	    WORKLOADS("[{trace: /none.sluice}]", "21: /none.sluice: cannot be read"),
	    WORKLOADS("[{nam: one}]", "14: unknown key of a workload 'nam'; did you mean 'name'?"),
	    WORKLOADS("[{name: one, size: huge}]", "31: expected tiny, small or paper for size, found huge"),
	    WORKLOADS("[{name: one, as: [a]}]", "29: expected one line of text for as, found a list"),
	    WORKLOADS("[{name: one, args: [a]}]", "31: expected one line of text for args, found a list"),
	    WORKLOADS("[{name: one, kernels: [a]}]",
	              "34: expected one line of text for kernels, found a list"),
	    WORKLOADS("[{name: one, kernels: 0}]",
	              "34: --kernel: 0 is out of range; expected 1 to 4294967295"),
	    WORKLOADS("[{name: one, insns: x}]",
	              "32: expected a number such as 500K or 20M for insns, found x"),
	    WORKLOADS("[{name: one, cold_l2: x}]", "34: expected yes or no for cold_l2, found x"),
	    LINE("sets: 3", "7: expected {NAME: workloads} for sets, found 3"),
	    LINE("sets: {A: [one], A: [two]}", "21: the set 'A' exists already"),
	    LINE("sets: {A: [oen]}", "12: no workload, set or class 'oen'; did you mean 'one'?"),
	    {"machine: gtx480-ciao\nsets: {mine: [{trace: a.sluice, as: T}]}\nworkloads: [mien]\n" SERIES,
	     "e.yaml:3:13: no workload, set or class 'mien'; did you mean 'mine'?"},
	    {"machine: gtx480-ciao\nsets: {mine: [{trace: a.sluice, as: T}]}\nworkloads: [mine]\n" SERIES,
	     "e.yaml:3:13: 'T' of the set 'mine' is no workload of the index: list it here"}}));
}

TEST(bad_series_are_refused_with_their_place)
{
	REFUSES(((const struct refusal[]){
	    {"machine: gtx480-ciao\nworkloads: [one]\n", "e.yaml:1:1: expected a list of series"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: 3\n", "e.yaml:3:9: expected a list of series"},
	    SERIES_OF("", "9: expected a list of series"),
	    SERIES_OF("3", "10: expected a group of keys, found 3"),
	    SERIES_OF("{label: A}", "10: the key 'policy' is missing"),
	    SERIES_OF("{policy: gto}", "10: the key 'label' is missing"),
	    SERIES_OF("{label: [a], policy: gto}", "18: expected one line of text for label, found a list"),
	    GTO("polcy: gto", "34: unknown key of a series 'polcy'; did you mean 'policy'?"),
	    GTO("machine: [a]", "43: expected one line of text for machine, found a list"),
	    GTO("look: [a]", "40: expected one line of text for look, found a list"),
	    GTO("set: 3", "39: expected {section.key: value} for set, found 3"),
	    SERIES_OF("{label: A, policy: gto}, {label: A, policy: lrr}", "35: two series are called 'A'"),
	    SERIES_OF("{label: A, policy: \"swl:n={n}\"}",
	              "10: {n} is no variable of sweep, search or found"),
	    SERIES_OF("{label: A, policy: \"swl:n={n\"}", "10: '{' without '}' in swl:n={n"),
	    GTO("machine: \"{m}\"", "10: {m} is no variable of sweep, search or found"),
	    GTO("look: \"{l}\"", "10: {l} is no variable of sweep, search or found"),
	    GTO("set: {l1d.ways: \"{w}\"}", "10: {w} is no variable of sweep, search or found"),
	    LINES("set: {l1d.ways: \"{w}\"}", "4:5: {w} is no variable of sweep, search or found"),
	    GTO("search: 3", "42: expected {variable: values} for search, found 3"),
	    AFTER_A("\"swl:n={n}\", found: 3",
	            "103: expected {variable: label of a series} for found, found 3"),
	    AFTER_A("\"swl:n={n}\", found: {n: [a]}",
	            "107: expected the label of a series above for n, found a list"),
	    AFTER_A("\"swl:n={n}\", found: {n: C}",
	            "107: expected the label of a series above for n, found C"),
	    AFTER_A("\"swl:n={m}\", found: {m: A}", "107: A does not search m"),
	    AFTER_A("\"swl:n={k}\", found: {n: A}", "64: {k} is no variable of sweep, search or found"),
	    AFTER_A("\"swl:n={mm}\", found: {n: A}", "64: {mm} is no variable of sweep, search or found"),
	    SERIES_OF("{label: A, policy: \"swl:n={n}\", search: {n: [1]}, found: {n: A}}",
	              "71: expected the label of a series above for n, found A"),
	    SERIES_OF("{label: A, policy: \"swl:n={n}\", search: {n: [1], n: [2]}}",
	              "62: 'n' is given twice"),
	    AFTER_A("\"swl:n={n}\", found: {n: A, n: A}", "113: 'n' is given twice"),
	    SERIES_OF("{label: A, policy: \"swl:n={n}\", search: {n: [1], a: [1], b: [1], c: [1], d: [1]}}",
	              "86: more than 4 variables"),
	    SERIES_OF(
	        "{label: A, policy: gto, search: {a: [1], b: [1], c: [1], d: [1]}}, {label: B, policy: gto, search: {e: [1]}}, {label: C, policy: gto, found: {a: A, b: A, c: A, d: A, e: B}}",
	        "179: more than 4 variables"),
	    GTO("best: [a]", "40: expected a metric for best, found a list"),
	    GTO("best: ", "40: expected a value at the end"),
	    GTO("best: -cycels", "41: unknown metric 'cycels'; did you mean 'cycles'?"),
	    GTO("workloads: [oen]", "46: no workload, set or class 'oen'; did you mean 'one'?")}));
}

TEST(bad_values_of_variables_are_refused)
{
	REFUSES(((const struct refusal[]){
	    LINE("sweep: 3", "8: expected {variable: values} for sweep, found 3"),
	    LINE("sweep: {1a: [1]}", "13: '1a' cannot name a variable"),
	    LINE("sweep: {series: [1]}", "17: 'series' cannot name a variable"),
	    LINE("sweep: {workload: [1]}", "19: 'workload' cannot name a variable"),
	    LINE("sweep: {a: [1], b: [1], c: [1], d: [1], e: [1]}", "44: more than 4 variables"),
	    LINE("sweep: {n: [1], n: [2]}", "20: 'n' is given twice"),
	    LINE("sweep: {n: {a: 1}}", "12: expected a list for n, found a group of keys"),
	    LINE("sweep: {n: []}", "12: a list without values"),
	    LINE("sweep: {n: [1, 1]}", "12: 1 is listed twice"),
	    LINE("sweep: {n: [[1]]}", "13: expected one line of text, found a list"),
	    LINE("sweep: {n: }", "12: expected one line of text for n, found nothing"),
	    NO_RANGE("3..1"),
	    NO_RANGE("1..x"),
	    NO_RANGE("a..b"),
	    NO_RANGE("-1..3"),
	    NO_RANGE("1..8 x1"),
	    NO_RANGE("0..8 x2"),
	    NO_RANGE("1..8 x2y"),
	    NO_RANGE("1..8y"),
	    LINE("sweep: {n: 1..9999}", "12: more than 4096 values")}));
}

TEST(bad_metrics_are_refused_with_their_place)
{
	REFUSES(((const struct refusal[]){
	    LINE("metrics: 3", "10: expected {name: formula} for metrics, found 3"),
	    LINE("metrics: {1a: ipc}", "15: '1a' cannot name a metric"),
	    LINE("metrics: {a: ipc, a: ipc}", "22: 'a' is given twice"),
	    LINE("metrics: {a: [1]}", "14: expected a formula for a, found a list"),
	    LINE("metrics: {a: }", "14: expected a formula for a, found nothing"),
	    LINE("metrics: {a: ipc +}", "19: expected a value at the end"),
	    LINE("metrics: {a: \"ipc +\"}", "20: expected a value at the end"),
	    LINE("metrics: {a: ipcc}", "14: unknown metric 'ipcc'; did you mean 'ipc'?"),
	    LINE("metrics: {a: xyzzy}", "14: unknown metric 'xyzzy'"),
	    LINE("derived: 3", "10: expected {name: formula} for derived, found 3"),
	    LINE("derived: {d: nothing}", "14: unknown metric 'nothing'")}));
}

/* The values of a sweep, joined by blanks. */
static bool values_are(const char *text, bool quick, const char *now, const char *known)
{
	struct papers papers;
	struct error err = {{0}};
	char joined[2][256] = {"", ""};
	if (!fixture_load(&papers, text, quick, &err)) {
		printf("# %s\n", err.text);
		return false;
	}
	const struct variable *v = &papers.paper->figure->variable[0];
	for (int k = 0; k < 2; k++) {
		const struct texts *texts = k ? &v->known : &v->values;
		for (size_t i = 0; i < texts->count; i++)
			snprintf(joined[k] + strlen(joined[k]), sizeof joined[k] - strlen(joined[k]), "%s%s",
			         i ? " " : "", texts->text[i]);
	}
	papers_free(&papers);
	bool ok = !strcmp(joined[0], now) && !strcmp(joined[1], known);
	if (!ok)
		printf("# %s: '%s' and '%s'\n", text, joined[0], joined[1]);
	return ok;
}

TEST(ranges_are_counted_or_multiplied_and_end_where_numbers_do)
{
	CHECK(values_are(EXPERIMENT "sweep: {n: 3..6}\n", false, "3 4 5 6", ""));
	CHECK(values_are(EXPERIMENT "sweep: {n: 1..64 x4}\n", false, "1 4 16 64", ""));
	CHECK(values_are(EXPERIMENT "sweep: {n: 5}\n", false, "5", ""));
	CHECK(values_are(EXPERIMENT "sweep: {n: [b, a]}\n", false, "b a", ""));
	CHECK(values_are(EXPERIMENT "sweep: {n: 9223372036854775806..9223372036854775807}\n", false,
	                 "9223372036854775806 9223372036854775807", ""));
	CHECK(values_are(EXPERIMENT "sweep: {n: 4611686018427387904..9223372036854775807 x3}\n", false,
	                 "4611686018427387904", ""));
}

TEST(quick_takes_fewer_values_workloads_and_instructions)
{
	struct papers papers;
	struct error err = {{0}};
	static const char text[] =
	    EXPERIMENT "sweep: {n: 1..4, m: [1]}\ninsns: 3M\ncold_l2: yes\n"
	               "quick: {sweep: {n: [2]}, insns: 5K, cold_l2: no, workloads: [{trace: a.sluice}]}\n";
	CHECK(values_are(text, true, "2", "1 2 3 4"));
	CHECK(values_are(text, false, "1 2 3 4", ""));
	CHECK(values_are(EXPERIMENT "sweep: {n: 1..2}\nquick: {sweep: 3}\n", true, "1 2", ""));
	for (int quick = 0; quick < 2; quick++) {
		CHECK(fixture_load(&papers, text, quick, &err));
		const struct figure *f = papers.paper->figure;
		CHECK_EQ(f->items, 1);
		CHECK(!strcmp(f->item->label, quick ? "a" : "one"));
		CHECK(!strcmp(f->known_items.text[0], "one"));
		CHECK_EQ(f->item->limits.insns, quick ? 5000 : 3000000);
		CHECK_EQ(f->item->limits.cold_l2, !quick);
		papers_free(&papers);
	}
	static const struct refusal bad[] = {
	    {EXPERIMENT "sweep: {n: 1..4}\nquick: {sweep: {n: 4..1}}\n",
	     "e.yaml:6:20: expected a list, a range such as 1..24, or 1..64 x2 for n, found 4..1"},
	    {EXPERIMENT "sweep: {n: 4..1}\nquick: {sweep: {n: 1..4}}\n",
	     "e.yaml:5:12: expected a list, a range such as 1..24, or 1..64 x2 for n, found 4..1"},
	    {EXPERIMENT "quick: {workloads: [oen]}\n",
	     "e.yaml:5:21: no workload, set or class 'oen'; did you mean 'one'?"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(fixture_refused(fixture_load(&papers, bad[i].text, true, &err), &err, &bad[i]));
}

/* Labels of what `workloads` lists, joined by blanks. */
static bool items_are(const char *workloads, const char *wanted)
{
	struct papers papers;
	struct error err = {{0}};
	char text[512], joined[256] = "";
	snprintf(text, sizeof text, "machine: gtx480-ciao\nsets: {pair: [two, one]}\nworkloads: %s\n" SERIES,
	         workloads);
	if (!fixture_load(&papers, text, false, &err)) {
		printf("# %s\n", err.text);
		return false;
	}
	const struct figure *f = papers.paper->figure;
	for (size_t i = 0; i < f->items; i++)
		snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i ? " " : "",
		         f->item[i].label);
	bool found = !f->items || (figure_item(f, f->item[f->items - 1].label) == f->items - 1 &&
	                           figure_item(f, "other") == SIZE_MAX);
	papers_free(&papers);
	if (strcmp(joined, wanted))
		printf("# %s: %s\n", workloads, joined);
	return found && !strcmp(joined, wanted);
}

TEST(workloads_are_names_sets_programs_and_traces_each_once)
{
	char absolute[300];
	CHECK(items_are("all", "one two three"));
	CHECK(items_are("three", "three"));
	CHECK(items_are("[one, pair, one]", "one two"));
	CHECK(items_are("[{name: one, as: again, args: --n 3, size: tiny, kernels: '1,3-4'}, one]",
	                "again one"));
	CHECK(items_are("[{program: a.sluice}, {trace: .sluice}]", "a .sluice"));
	snprintf(absolute, sizeof absolute, "[{trace: %s/a.sluice}]", scratch());
	CHECK(items_are(absolute, "a"));
}

TEST(a_file_that_is_missing_a_folder_or_endless_is_refused)
{
	struct papers papers;
	struct error err = {{0}};
	char path[300];
	static const struct refusal refusals[] = {
	    {"none.yaml", "none.yaml: cannot be read: No such file or directory"},
	    {"papers", "papers: cannot be read: Is a directory"},
	    {"/dev/zero", "/dev/zero: larger than 4 MiB; not an experiment"},
	    {"/none.yaml", "/none.yaml: cannot be read: No such file or directory"},
	};
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		CHECK(fixture_refused(papers_load_sweep(&papers, refusals[i].text, false, &err), &err,
		                      &refusals[i]));
	CHECK(fixture_write("e.yaml", EXPERIMENT));
	snprintf(path, sizeof path, "%s/e.yaml", scratch());
	CHECK(papers_load_sweep(&papers, path, false, &err));
	CHECK(!strcmp(papers.paper->folder, scratch()) && !strcmp(papers.paper->figure->id, "e"));
	CHECK(!strcmp(papers.paper->figure->title, "e"));
	papers_free(&papers);
	setenv("SLUICE_WORKLOADS", "/nowhere", 1);
	bool loaded = papers_load_sweep(&papers, path, false, &err);
	setenv("SLUICE_WORKLOADS", scratch(), 1);
	CHECK(!loaded && strstr(err.text, "/nowhere"));
}

TEST_RUN_ALL(fixture_enter())
