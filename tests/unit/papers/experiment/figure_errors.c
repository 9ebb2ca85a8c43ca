/* Experiments are loaded strictly: what is refused, with line and column, and what the rest is read as. */
#include "lib/reproduce_fixture.h"

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
	    {"workloads: [one]\n" SERIES, "e.yaml:1:1: the key 'machine' is missing"},
	}));
}

TEST(a_bad_head_is_refused_with_its_place)
{
	REFUSES(((const struct refusal[]){
	    {EXPERIMENT "title: [a]\n", "e.yaml:5:8: expected one line of text for title, found a list"},
	    {EXPERIMENT "where: [a]\n", "e.yaml:5:8: expected one line of text for where, found a list"},
	    {EXPERIMENT "note: [a]\n", "e.yaml:5:7: expected one line of text for note, found a list"},
	    {EXPERIMENT "kernels: [a]\n", "e.yaml:5:10: expected one line of text for kernels, found a list"},
	    {EXPERIMENT "look: [a]\n", "e.yaml:5:7: expected one line of text for look, found a list"},
	    {EXPERIMENT "kernels: 5-3\n", "e.yaml:5:10: --kernel: the range 5-3 runs backwards"},
	    {EXPERIMENT "set: 3\n", "e.yaml:5:6: expected {section.key: value} for set, found 3"},
	    {EXPERIMENT "set: {l1d.ways: [1]}\n", "e.yaml:5:17: expected a value for l1d.ways, found a list"},
	    {EXPERIMENT
	     "set: {l1d.ways: 99999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999}\n",
	     "e.yaml:5:17: expected a short value for l1d.ways, found 99999999999999999999999999999999999999999999..."},
	    {EXPERIMENT "size: huge\n", "e.yaml:5:7: expected tiny, small or paper for size, found huge"},
	    {EXPERIMENT "size: [a]\n", "e.yaml:5:7: expected tiny, small or paper for size, found a list"},
	    {EXPERIMENT "insns: 0\n", "e.yaml:5:8: expected a number such as 500K or 20M for insns, found 0"},
	    {EXPERIMENT "insns: [1]\n",
	     "e.yaml:5:8: expected a number such as 500K or 20M for insns, found a list"},
	    {EXPERIMENT "insns:\n",
	     "e.yaml:5:7: expected a number such as 500K or 20M for insns, found nothing"},
	    {EXPERIMENT "insns: 5T\n",
	     "e.yaml:5:8: expected a number such as 500K or 20M for insns, found 5T"},
	    {EXPERIMENT "cold_l2: maybe\n", "e.yaml:5:10: expected yes or no for cold_l2, found maybe"},
	    {EXPERIMENT "cold_l2: [yes]\n", "e.yaml:5:10: expected yes or no for cold_l2, found a list"},
	    {EXPERIMENT "quick: 3\n", "e.yaml:5:8: expected a group of keys for quick, found 3"},
	    {EXPERIMENT "quick: {siz: tiny}\n",
	     "e.yaml:5:9: unknown key of quick 'siz'; did you mean 'size'?"},
	    {EXPERIMENT "quick: {size: huge}\n",
	     "e.yaml:5:15: expected tiny, small or paper for size, found huge"},
	}));
}

TEST(unknown_workloads_are_refused_with_a_suggestion)
{
	REFUSES(((const struct refusal[]){
	    {"machine: gtx480-ciao\n" SERIES, "e.yaml:1:1: the key 'workloads' is missing"},
	    {"machine: gtx480-ciao\nworkloads: [oen]\n" SERIES,
	     "e.yaml:2:13: no workload, set or class 'oen'; did you mean 'one'?"},
	    {"machine: gtx480-ciao\nworkloads: elephant\n" SERIES,
	     "e.yaml:2:12: no workload, set or class 'elephant'"},
	    {"machine: gtx480-ciao\nworkloads: [[one]]\n" SERIES,
	     "e.yaml:2:13: expected a workload, set or class, found a list"},
	    {"machine: gtx480-ciao\nworkloads: []\n" SERIES, "e.yaml:2:12: no workloads in it"},
	    {"machine: gtx480-ciao\nworkloads: [{}]\n" SERIES,
	     "e.yaml:2:13: expected one of name, program and trace"},
	    {"machine: gtx480-ciao\nworkloads: [{name: one, trace: a.sluice}]\n" SERIES,
	     "e.yaml:2:13: expected one of name, program and trace"},
	    {"machine: gtx480-ciao\nworkloads: [{name: [a]}]\n" SERIES,
	     "e.yaml:2:20: expected a workload for name, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [{name: thre}]\n" SERIES,
	     "e.yaml:2:20: no workload, set or class 'thre'; did you mean 'three'?"},
	    {"machine: gtx480-ciao\nworkloads: [{program: }]\n" SERIES,
	     "e.yaml:2:23: expected a path for program, found nothing"},
	    {"machine: gtx480-ciao\nworkloads: [{program: [a]}]\n" SERIES,
	     "e.yaml:2:23: expected a path for program, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [{trace: none.sluice}]\n" SERIES,
	     "e.yaml:2:21: ./none.sluice: cannot be read"},
	    {"machine: gtx480-ciao\nworkloads: [{trace: /none.sluice}]\n" SERIES,
	     "e.yaml:2:21: /none.sluice: cannot be read"},
	    {"machine: gtx480-ciao\nworkloads: [{nam: one}]\n" SERIES,
	     "e.yaml:2:14: unknown key of a workload 'nam'; did you mean 'name'?"},
	    {"machine: gtx480-ciao\nworkloads: [{name: one, size: huge}]\n" SERIES,
	     "e.yaml:2:31: expected tiny, small or paper for size, found huge"},
	    {"machine: gtx480-ciao\nworkloads: [{name: one, as: [a]}]\n" SERIES,
	     "e.yaml:2:29: expected one line of text for as, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [{name: one, args: [a]}]\n" SERIES,
	     "e.yaml:2:31: expected one line of text for args, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [{name: one, kernels: [a]}]\n" SERIES,
	     "e.yaml:2:34: expected one line of text for kernels, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [{name: one, kernels: 0}]\n" SERIES,
	     "e.yaml:2:34: --kernel: 0 is out of range; expected 1 to 4294967295"},
	    {"machine: gtx480-ciao\nworkloads: [{name: one, insns: x}]\n" SERIES,
	     "e.yaml:2:32: expected a number such as 500K or 20M for insns, found x"},
	    {"machine: gtx480-ciao\nworkloads: [{name: one, cold_l2: x}]\n" SERIES,
	     "e.yaml:2:34: expected yes or no for cold_l2, found x"},
	    {EXPERIMENT "sets: 3\n", "e.yaml:5:7: expected {NAME: workloads} for sets, found 3"},
	    {EXPERIMENT "sets: {A: [one], A: [two]}\n", "e.yaml:5:21: the set 'A' exists already"},
	    {EXPERIMENT "sets: {A: [oen]}\n",
	     "e.yaml:5:12: no workload, set or class 'oen'; did you mean 'one'?"},
	    {"machine: gtx480-ciao\nsets: {mine: [{trace: a.sluice, as: T}]}\nworkloads: [mien]\n" SERIES,
	     "e.yaml:3:13: no workload, set or class 'mien'; did you mean 'mine'?"},
	    {"machine: gtx480-ciao\nsets: {mine: [{trace: a.sluice, as: T}]}\nworkloads: [mine]\n" SERIES,
	     "e.yaml:3:13: 'T' of the set 'mine' is no workload of the index: list it here"},
	}));
}

TEST(bad_series_are_refused_with_their_place)
{
	REFUSES(((const struct refusal[]){
	    {"machine: gtx480-ciao\nworkloads: [one]\n", "e.yaml:1:1: expected a list of series"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: 3\n", "e.yaml:3:9: expected a list of series"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: []\n", "e.yaml:3:9: expected a list of series"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [3]\n",
	     "e.yaml:3:10: expected a group of keys, found 3"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A}]\n",
	     "e.yaml:3:10: the key 'policy' is missing"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{policy: gto}]\n",
	     "e.yaml:3:10: the key 'label' is missing"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: [a], policy: gto}]\n",
	     "e.yaml:3:18: expected one line of text for label, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, polcy: gto}]\n",
	     "e.yaml:3:34: unknown key of a series 'polcy'; did you mean 'policy'?"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, machine: [a]}]\n",
	     "e.yaml:3:43: expected one line of text for machine, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, look: [a]}]\n",
	     "e.yaml:3:40: expected one line of text for look, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, set: 3}]\n",
	     "e.yaml:3:39: expected {section.key: value} for set, found 3"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto}, {label: A, policy: lrr}]\n",
	     "e.yaml:3:35: two series are called 'A'"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\"}]\n",
	     "e.yaml:3:10: {n} is no variable of sweep, search or found"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n\"}]\n",
	     "e.yaml:3:10: '{' without '}' in swl:n={n"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, machine: \"{m}\"}]\n",
	     "e.yaml:3:10: {m} is no variable of sweep, search or found"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, look: \"{l}\"}]\n",
	     "e.yaml:3:10: {l} is no variable of sweep, search or found"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, set: {l1d.ways: \"{w}\"}}]\n",
	     "e.yaml:3:10: {w} is no variable of sweep, search or found"},
	    {EXPERIMENT "set: {l1d.ways: \"{w}\"}\n",
	     "e.yaml:4:5: {w} is no variable of sweep, search or found"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, search: 3}]\n",
	     "e.yaml:3:42: expected {variable: values} for search, found 3"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1, 2]}}, {label: B, policy: \"swl:n={n}\", found: 3}]\n",
	     "e.yaml:3:103: expected {variable: label of a series} for found, found 3"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1, 2]}}, {label: B, policy: \"swl:n={n}\", found: {n: [a]}}]\n",
	     "e.yaml:3:107: expected the label of a series above for n, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1, 2]}}, {label: B, policy: \"swl:n={n}\", found: {n: C}}]\n",
	     "e.yaml:3:107: expected the label of a series above for n, found C"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1, 2]}}, {label: B, policy: \"swl:n={m}\", found: {m: A}}]\n",
	     "e.yaml:3:107: A does not search m"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1, 2]}}, {label: B, policy: \"swl:n={k}\", found: {n: A}}]\n",
	     "e.yaml:3:64: {k} is no variable of sweep, search or found"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1, 2]}}, {label: B, policy: \"swl:n={mm}\", found: {n: A}}]\n",
	     "e.yaml:3:64: {mm} is no variable of sweep, search or found"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1]}, found: {n: A}}]\n",
	     "e.yaml:3:71: expected the label of a series above for n, found A"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1], n: [2]}}]\n",
	     "e.yaml:3:62: 'n' is given twice"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1, 2]}}, {label: B, policy: \"swl:n={n}\", found: {n: A, n: A}}]\n",
	     "e.yaml:3:113: 'n' is given twice"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: \"swl:n={n}\", search: {n: [1], a: [1], b: [1], c: [1], d: [1]}}]\n",
	     "e.yaml:3:86: more than 4 variables"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, search: {a: [1], b: [1], c: [1], d: [1]}}, {label: B, policy: gto, search: {e: [1]}}, {label: C, policy: gto, found: {a: A, b: A, c: A, d: A, e: B}}]\n",
	     "e.yaml:3:179: more than 4 variables"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, best: [a]}]\n",
	     "e.yaml:3:40: expected a metric for best, found a list"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, best: }]\n",
	     "e.yaml:3:40: expected a value at the end"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, best: -cycels}]\n",
	     "e.yaml:3:41: unknown metric 'cycels'; did you mean 'cycles'?"},
	    {"machine: gtx480-ciao\nworkloads: [one]\nseries: [{label: A, policy: gto, workloads: [oen]}]\n",
	     "e.yaml:3:46: no workload, set or class 'oen'; did you mean 'one'?"},
	}));
}

TEST(bad_values_of_variables_are_refused)
{
	REFUSES(((const struct refusal[]){
	    {EXPERIMENT "sweep: 3\n", "e.yaml:5:8: expected {variable: values} for sweep, found 3"},
	    {EXPERIMENT "sweep: {1a: [1]}\n", "e.yaml:5:13: '1a' cannot name a variable"},
	    {EXPERIMENT "sweep: {series: [1]}\n", "e.yaml:5:17: 'series' cannot name a variable"},
	    {EXPERIMENT "sweep: {workload: [1]}\n", "e.yaml:5:19: 'workload' cannot name a variable"},
	    {EXPERIMENT "sweep: {a: [1], b: [1], c: [1], d: [1], e: [1]}\n",
	     "e.yaml:5:44: more than 4 variables"},
	    {EXPERIMENT "sweep: {n: [1], n: [2]}\n", "e.yaml:5:20: 'n' is given twice"},
	    {EXPERIMENT "sweep: {n: {a: 1}}\n", "e.yaml:5:12: expected a list for n, found a group of keys"},
	    {EXPERIMENT "sweep: {n: []}\n", "e.yaml:5:12: a list without values"},
	    {EXPERIMENT "sweep: {n: [1, 1]}\n", "e.yaml:5:12: 1 is listed twice"},
	    {EXPERIMENT "sweep: {n: [[1]]}\n", "e.yaml:5:13: expected one line of text, found a list"},
	    {EXPERIMENT "sweep: {n: }\n", "e.yaml:5:12: expected one line of text for n, found nothing"},
	    {EXPERIMENT "sweep: {n: 3..1}\n",
	     "e.yaml:5:12: expected a list, a range such as 1..24, or 1..64 x2 for n, found 3..1"},
	    {EXPERIMENT "sweep: {n: 1..x}\n",
	     "e.yaml:5:12: expected a list, a range such as 1..24, or 1..64 x2 for n, found 1..x"},
	    {EXPERIMENT "sweep: {n: a..b}\n",
	     "e.yaml:5:12: expected a list, a range such as 1..24, or 1..64 x2 for n, found a..b"},
	    {EXPERIMENT "sweep: {n: -1..3}\n",
	     "e.yaml:5:12: expected a list, a range such as 1..24, or 1..64 x2 for n, found -1..3"},
	    {EXPERIMENT "sweep: {n: 1..8 x1}\n",
	     "e.yaml:5:12: expected a list, a range such as 1..24, or 1..64 x2 for n, found 1..8 x1"},
	    {EXPERIMENT "sweep: {n: 0..8 x2}\n",
	     "e.yaml:5:12: expected a list, a range such as 1..24, or 1..64 x2 for n, found 0..8 x2"},
	    {EXPERIMENT "sweep: {n: 1..8 x2y}\n",
	     "e.yaml:5:12: expected a list, a range such as 1..24, or 1..64 x2 for n, found 1..8 x2y"},
	    {EXPERIMENT "sweep: {n: 1..8y}\n",
	     "e.yaml:5:12: expected a list, a range such as 1..24, or 1..64 x2 for n, found 1..8y"},
	    {EXPERIMENT "sweep: {n: 1..9999}\n", "e.yaml:5:12: more than 4096 values"},
	}));
}

TEST(bad_metrics_are_refused_with_their_place)
{
	REFUSES(((const struct refusal[]){
	    {EXPERIMENT "metrics: 3\n", "e.yaml:5:10: expected {name: formula} for metrics, found 3"},
	    {EXPERIMENT "metrics: {1a: ipc}\n", "e.yaml:5:15: '1a' cannot name a metric"},
	    {EXPERIMENT "metrics: {a: ipc, a: ipc}\n", "e.yaml:5:22: 'a' is given twice"},
	    {EXPERIMENT "metrics: {a: [1]}\n", "e.yaml:5:14: expected a formula for a, found a list"},
	    {EXPERIMENT "metrics: {a: }\n", "e.yaml:5:14: expected a formula for a, found nothing"},
	    {EXPERIMENT "metrics: {a: ipc +}\n", "e.yaml:5:19: expected a value at the end"},
	    {EXPERIMENT "metrics: {a: \"ipc +\"}\n", "e.yaml:5:20: expected a value at the end"},
	    {EXPERIMENT "metrics: {a: ipcc}\n", "e.yaml:5:14: unknown metric 'ipcc'; did you mean 'ipc'?"},
	    {EXPERIMENT "metrics: {a: xyzzy}\n", "e.yaml:5:14: unknown metric 'xyzzy'"},
	    {EXPERIMENT "derived: 3\n", "e.yaml:5:10: expected {name: formula} for derived, found 3"},
	    {EXPERIMENT "derived: {d: nothing}\n", "e.yaml:5:14: unknown metric 'nothing'"},
	}));
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
	                           figure_item(f, "nobody") == SIZE_MAX);
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

TEST_MAIN_AFTER(fixture_enter(),
                TEST_ENTRY(what_is_no_experiment_is_refused) TEST_ENTRY(a_bad_head_is_refused_with_its_place)
                    TEST_ENTRY(unknown_workloads_are_refused_with_a_suggestion)
                        TEST_ENTRY(bad_series_are_refused_with_their_place)
                            TEST_ENTRY(bad_values_of_variables_are_refused)
                                TEST_ENTRY(bad_metrics_are_refused_with_their_place) TEST_ENTRY(
                                    ranges_are_counted_or_multiplied_and_end_where_numbers_do)
                                    TEST_ENTRY(quick_takes_fewer_values_workloads_and_instructions)
                                        TEST_ENTRY(workloads_are_names_sets_programs_and_traces_each_once)
                                            TEST_ENTRY(a_file_that_is_missing_a_folder_or_endless_is_refused))
