/* Charts and claims of an experiment: what is refused, with line and column, and what the rest is read as. */
#include <math.h>

#include "lib/reproduce_fixture.h"

TEST(bad_charts_are_refused_with_their_place)
{
	REFUSES(((const struct refusal[]){
	    {EXPERIMENT "charts: 3\n", "e.yaml:5:9: expected a list of charts for charts, found 3"},
	    {EXPERIMENT "charts: [3]\n", "e.yaml:5:10: expected a group of keys, found 3"},
	    {EXPERIMENT "charts: [{y: ipc}]\n", "e.yaml:5:10: a chart has a kind and a y"},
	    {EXPERIMENT "charts: [{kind: bars}]\n", "e.yaml:5:10: a chart has a kind and a y"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, z: 1}]\n",
	     "e.yaml:5:31: unknown key of a chart 'z'; did you mean 'y'?"},
	    {EXPERIMENT "charts: [{kind: [a], y: ipc}]\n",
	     "e.yaml:5:17: expected a word for kind, found a list"},
	    {EXPERIMENT "charts: [{kind: bar, y: ipc}]\n",
	     "e.yaml:5:17: unknown kind 'bar'; did you mean 'bars'?"},
	    {EXPERIMENT "charts: [{kind: bars, y: {a: 1}}]\n",
	     "e.yaml:5:26: expected a formula or a list of {label, y} for y, found a group of keys"},
	    {EXPERIMENT "charts: [{kind: bars, y: []}]\n",
	     "e.yaml:5:26: expected a formula or a list of {label, y} for y, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: [{label: A}]}]\n",
	     "e.yaml:5:27: a part has a label and a y"},
	    {EXPERIMENT "charts: [{kind: bars, y: [{y: ipc}]}]\n", "e.yaml:5:27: a part has a label and a y"},
	    {EXPERIMENT "charts: [{kind: bars, y: [{labl: A, y: ipc}]}]\n",
	     "e.yaml:5:28: unknown key of a part 'labl'; did you mean 'label'?"},
	    {EXPERIMENT "charts: [{kind: bars, y: [{label: [a], y: ipc}]}]\n",
	     "e.yaml:5:35: expected one line of text for label, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc +}]\n", "e.yaml:5:31: expected a value at the end"},
	    {EXPERIMENT "charts: [{kind: bars, y: [ipc +]}]\n", "e.yaml:5:32: expected a value at the end"},
	    {EXPERIMENT "charts: [{kind: bars, y: [[a]]}]\n",
	     "e.yaml:5:27: expected a group of keys, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: \"ipc\\t\"}]\n",
	     "e.yaml:5:26: expected one line of text for y, found ipc?"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, title: [a]}]\n",
	     "e.yaml:5:38: expected one line of text for title, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, y_title: [a]}]\n",
	     "e.yaml:5:40: expected one line of text for y_title, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, unit: [a]}]\n",
	     "e.yaml:5:37: expected one line of text for unit, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, mean: [a]}]\n",
	     "e.yaml:5:37: expected a word for mean, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, mean: man}]\n",
	     "e.yaml:5:37: unknown mean 'man'; did you mean 'mean'?"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, log: x}]\n",
	     "e.yaml:5:36: expected yes or no for log, found x"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, reduction: x}]\n",
	     "e.yaml:5:42: expected yes or no for reduction, found x"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, row: x}]\n",
	     "e.yaml:5:36: expected a number for row, found x"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, row: [1]}]\n",
	     "e.yaml:5:36: expected a number for row, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, row: 1e999}]\n",
	     "e.yaml:5:36: expected a number for row, found 1e999"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, row: +}]\n",
	     "e.yaml:5:36: expected a number for row, found +"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, row: 1x}]\n",
	     "e.yaml:5:36: expected a number for row, found 1x"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, row: }]\n",
	     "e.yaml:5:36: expected a number for row, found nothing"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, row: -1}]\n",
	     "e.yaml:5:36: expected a warp's number for row, found -1"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, row: 1.5}]\n",
	     "e.yaml:5:36: expected a warp's number for row, found 1.5"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, row: 1e10}]\n",
	     "e.yaml:5:36: expected a warp's number for row, found 1e10"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, x: [a]}]\n",
	     "e.yaml:5:34: expected one line of text for x, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, x: kb}]\n",
	     "e.yaml:5:34: expected workload or a variable of sweep for x, found kb"},
	    {EXPERIMENT "charts: [{kind: time, y: ipc, x: workload}]\n",
	     "e.yaml:5:34: expected instructions or cycles for x, found workload"},
	    {EXPERIMENT "sweep: {n: [1]}\ncharts: [{kind: bars, y: ipc, x: m}]\n",
	     "e.yaml:6:34: expected workload or a variable of sweep for x, found m"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, series: {a: 1}}]\n",
	     "e.yaml:5:39: expected a list for series, found a group of keys"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, series: [X]}]\n", "e.yaml:5:39: no series 'X'"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, workloads: {a: 1}}]\n",
	     "e.yaml:5:42: expected a list for workloads, found a group of keys"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, means: {a: 1}}]\n",
	     "e.yaml:5:38: expected a list for means, found a group of keys"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, over: [a]}]\n",
	     "e.yaml:5:37: expected one line of text for over, found a list"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, over: X}]\n", "e.yaml:5:37: no series 'X'"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, reduction: yes}]\n",
	     "e.yaml:5:10: a reduction needs 'over'"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, published: 3}]\n",
	     "e.yaml:5:42: expected {series: {x: value}} for published, found 3"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, published: {GTO: 3}}]\n",
	     "e.yaml:5:48: expected {x: value} for GTO, found 3"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, published: {GTO: {ONE: x}}}]\n",
	     "e.yaml:5:54: expected a number for ONE, found x"},
	}));
}

TEST(charts_name_what_there_is)
{
	REFUSES(((const struct refusal[]){
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, means: [al]}]\n",
	     "e.yaml: charts: means: no set or class 'al'"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, workloads: [oen]}]\n",
	     "e.yaml: charts: workloads: no set or class 'oen'; did you mean 'one'?"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, workloads: [elephant]}]\n",
	     "e.yaml: charts: workloads: no set or class 'elephant'"},
	    {EXPERIMENT "sets: {mine: [one]}\ncharts: [{kind: bars, y: ipc, means: [mien]}]\n",
	     "e.yaml: charts: means: no set or class 'mien'; did you mean 'mine'?"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, published: {GTI: {one: 1}}}]\n",
	     "e.yaml: charts: published: no series 'GTI'"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipc, published: {GTO: {oen: 1}}}]\n",
	     "e.yaml: charts: published: GTO: no workload, set or value 'oen'"},
	    {EXPERIMENT "sweep: {n: [1]}\ncharts: [{kind: bars, y: ipc, x: n, published: {GTO: {2: 1}}}]\n",
	     "e.yaml: charts: published: GTO: no workload, set or value '2'"},
	    {EXPERIMENT "charts: [{kind: bars, y: ipcc}]\n",
	     "e.yaml:5:26: unknown metric 'ipcc'; did you mean 'ipc'?"},
	    {EXPERIMENT "charts: [{kind: time, y: ipc}]\n", "e.yaml:5:26: this chart needs 'look: series'"},
	    {EXPERIMENT "look: matrix\ncharts: [{kind: time, y: ipc}]\n",
	     "e.yaml:6:26: this chart needs 'look: series'"},
	    {EXPERIMENT "look: all\ncharts: [{kind: time, y: ipcc}]\n",
	     "e.yaml:6:26: look.series has no field 'ipcc'"},
	    {EXPERIMENT "look: series\ncharts: [{kind: heat, y: look.matrix.lost}]\n",
	     "e.yaml:6:26: this chart needs 'look: matrix'"},
	    {EXPERIMENT "look: matrix\ncharts: [{kind: heat, y: look.matrix.losst}]\n",
	     "e.yaml:6:26: expected look.matrix.lost or look.matrix.evictions"},
	}));
}

TEST(bad_claims_are_refused_with_their_place)
{
	REFUSES(((const struct refusal[]){
	    {EXPERIMENT "claims: 3\n", "e.yaml:5:9: expected claims by their ids for claims, found 3"},
	    {EXPERIMENT "claims: {c: 3}\n", "e.yaml:5:13: expected a group of keys for c, found 3"},
	    {EXPERIMENT "claims: {c: {typ: gain}}\n",
	     "e.yaml:5:14: unknown key of a claim 'typ'; did you mean 'type'?"},
	    {EXPERIMENT "claims: {c: {type: gain}}\n", "e.yaml:5:13: the key 'formula' is missing"},
	    {EXPERIMENT "claims: {c: {formula: ipc}}\n", "e.yaml:5:13: the key 'type' is missing"},
	    {EXPERIMENT "claims: {c: {type: [a], formula: '1'}}\n",
	     "e.yaml:5:20: expected a word for type, found a list"},
	    {EXPERIMENT "claims: {c: {type: gian, formula: '1'}}\n",
	     "e.yaml:5:20: unknown type 'gian'; did you mean 'gain'?"},
	    {EXPERIMENT "claims: {c: {type: order, formula: '1', bound: least}}\n",
	     "e.yaml:5:48: an order has no bound"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: '1', bound: [a]}}\n",
	     "e.yaml:5:47: expected a word for bound, found a list"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: '1', bound: lest}}\n",
	     "e.yaml:5:47: unknown bound 'lest'; did you mean 'least'?"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: '1', direction: '1'}}\n",
	     "e.yaml:5:51: only an order has a direction of its own"},
	    {EXPERIMENT "claims: {c: {type: order, formula: 1 +}}\n",
	     "e.yaml:5:39: expected a value at the end"},
	    {EXPERIMENT "claims: {c: {type: order, formula: '1', direction: 1 +}}\n",
	     "e.yaml:5:55: expected a value at the end"},
	    {EXPERIMENT "claims: {c: {type: order, formula: '1', value: 1}}\n",
	     "e.yaml:5:48: an order has no value: it holds or not"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: '1'}}\n",
	     "e.yaml:5:13: the key 'value' is missing"},
	    {EXPERIMENT "claims: {c: {flag: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'}}\n",
	     "e.yaml:5:20: expected a word for flag, found a list"},
	    {EXPERIMENT "claims: {c: {flag: predict, type: gain, formula: 'ipc[\"GTO\", \"one\"]'}}\n",
	     "e.yaml:5:20: unknown flag 'predict'"},
	    {EXPERIMENT "claims: {c: {kind: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'}}\n",
	     "e.yaml:5:20: expected a word for kind, found a list"},
	    {EXPERIMENT "claims: {c: {kind: headlin, type: gain, formula: 'ipc[\"GTO\", \"one\"]'}}\n",
	     "e.yaml:5:20: unknown kind 'headlin'; did you mean 'headline'?"},
	    {EXPERIMENT "claims: {c: {where: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'}}\n",
	     "e.yaml:5:21: expected one line of text for where, found a list"},
	    {EXPERIMENT "claims: {c: {says: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'}}\n",
	     "e.yaml:5:20: expected one line of text for says, found a list"},
	    {EXPERIMENT "claims: {c: {note: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'}}\n",
	     "e.yaml:5:20: expected one line of text for note, found a list"},
	    {EXPERIMENT "claims: {c: {type: order, formula: '1'}, c: {type: order, formula: '1'}}\n",
	     "e.yaml:5:42: c is given twice; first on line 5"},
	    {EXPERIMENT "claims: {c: {parts: 3}}\n",
	     "e.yaml:5:21: expected a list of {type, formula, value} for parts, found 3"},
	    {EXPERIMENT "claims: {c: {parts: []}}\n",
	     "e.yaml:5:21: expected a list of {type, formula, value} for parts, found a list"},
	    {EXPERIMENT "claims: {c: {parts: [3]}}\n", "e.yaml:5:22: expected a group of keys, found 3"},
	    {EXPERIMENT "claims: {c: {parts: [{typ: gain}]}}\n",
	     "e.yaml:5:23: unknown key of a part 'typ'; did you mean 'type'?"},
	    {EXPERIMENT "claims: {c: {parts: [{type: gain}]}}\n",
	     "e.yaml:5:22: the key 'formula' is missing"},
	    {EXPERIMENT "claims: {c: {parts: [{type: gain, formula: 1}], formula: 1}}\n",
	     "e.yaml:5:58: 'formula' beside 'parts'"},
	    {EXPERIMENT "claims: {c: {not_measurable: so, type: gain}}\n",
	     "e.yaml:5:40: 'type' beside 'not_measurable'"},
	    {EXPERIMENT "claims: {c: {not_measurable: so, parts: []}}\n",
	     "e.yaml:5:41: 'parts' beside 'not_measurable'"},
	    {EXPERIMENT "claims: {c: {not_measurable: [a]}}\n",
	     "e.yaml:5:30: expected one line of text for not_measurable, found a list"},
	    {EXPERIMENT "claims: {c: {type: order, formula: nothing}}\n",
	     "e.yaml:5:36: unknown metric 'nothing'"},
	    {EXPERIMENT "claims: {c: {type: order, formula: '1', direction: nothing}}\n",
	     "e.yaml:5:52: unknown metric 'nothing'"},
	    {EXPERIMENT "claims: {c: {type: order, formula: ipc}}\n",
	     "e.yaml:5:36: many values, by series and workload, where one is expected: take a mean, max or all"},
	}));
}

TEST(bad_published_values_are_refused)
{
	REFUSES(((const struct refusal[]){
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: []}}\n",
	     "e.yaml:5:63: no value in the list"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: [x]}}\n",
	     "e.yaml:5:64: expected a ratio such as 1.54, 1.54x, +54% or -15%, found x"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: {a: 1}}}\n",
	     "e.yaml:5:63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found a group of keys"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: }}\n",
	     "e.yaml:5:63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found nothing"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: x}}\n",
	     "e.yaml:5:63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found x"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: 1e999}}\n",
	     "e.yaml:5:63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found 1e999"},
	    {EXPERIMENT "claims: {c: {type: quantity, formula: 'ipc[\"GTO\", \"one\"]', value: 5%}}\n",
	     "e.yaml:5:67: expected a number such as 12, 0.5 or 60K for value, found 5%"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: 5%}}\n",
	     "e.yaml:5:63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found 5%"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: +1.5x}}\n",
	     "e.yaml:5:63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found +1.5x"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: 1.5xx}}\n",
	     "e.yaml:5:63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found 1.5xx"},
	    {EXPERIMENT "claims: {c: {type: rate, formula: 'ipc[\"GTO\", \"one\"]', value: 1.5x}}\n",
	     "e.yaml:5:63: expected percent such as 58% for value, found 1.5x"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: +5}}\n",
	     "e.yaml:5:63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found +5"},
	    {EXPERIMENT "claims: {c: {type: gain, formula: 'ipc[\"GTO\", \"one\"]', value: -5}}\n",
	     "e.yaml:5:63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found -5"},
	    {EXPERIMENT "claims: {c: {type: rate, formula: 'ipc[\"GTO\", \"one\"]', value: 5y}}\n",
	     "e.yaml:5:63: expected percent such as 58% for value, found 5y"},
	    {EXPERIMENT "claims: {c: {type: rate, formula: 'ipc[\"GTO\", \"one\"]', value: 5%%}}\n",
	     "e.yaml:5:63: expected percent such as 58% for value, found 5%%"},
	    {EXPERIMENT "claims: {c: {type: quantity, formula: 'ipc[\"GTO\", \"one\"]', value: 5KK}}\n",
	     "e.yaml:5:67: expected a number such as 12, 0.5 or 60K for value, found 5KK"},
	    {EXPERIMENT "claims: {c: {type: quantity, formula: 'ipc[\"GTO\", \"one\"]', value: 5T}}\n",
	     "e.yaml:5:67: expected a number such as 12, 0.5 or 60K for value, found 5T"},
	    {EXPERIMENT "claims: {c: {type: quantity, formula: 'ipc[\"GTO\", \"one\"]', value: nan}}\n",
	     "e.yaml:5:67: expected a number such as 12, 0.5 or 60K for value, found nan"},
	}));
}

TEST(published_values_are_read_by_the_type_of_the_claim)
{
	static const struct {
		const char *type, *text;
		double value;
	} cases[] = {{"gain", "1.54", 1.54},      {"gain", "1.54x", 1.54},    {"gain", "+54%", 1.54},
	             {"gain", "-15%", 0.85},      {"rate", "58%", 58},        {"rate", "58", 58},
	             {"rate", "-3%", -3},         {"quantity", "5K", 5e3},    {"quantity", "2M", 2e6},
	             {"quantity", "1.5G", 1.5e9}, {"quantity", "-0.5", -0.5}, {"quantity", "[7, 8]", 7}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct papers papers;
		struct error err = {{0}};
		char text[512];
		snprintf(text, sizeof text,
		         EXPERIMENT "claims: {c: {bound: most, type: %s, formula: '1', value: %s}}\n",
		         cases[i].type, cases[i].text);
		bool loaded = fixture_load(&papers, text, false, &err);
		if (!loaded)
			printf("# %s\n", err.text);
		CHECK(loaded && papers.paper->claims == 1 && papers.paper->claim->parts == 1);
		const struct claim_part *part = papers.paper->claim->part;
		CHECK(fabs(part->value[0] - cases[i].value) <= 1e-9 * fabs(cases[i].value));
		CHECK(part->bound == BOUND_MOST && papers.paper->claim->flag == CLAIM_PREDICTION &&
		      papers.paper->claim->kind == CLAIM_OTHER);
		papers_free(&papers);
	}
}

TEST(charts_that_name_what_there_is_load)
{
	struct papers papers;
	struct error err = {{0}};
	bool loaded = fixture_load(
	    &papers,
	    EXPERIMENT
	    "sweep: {n: [1, 2]}\nsets: {mine: [one]}\n"
	    "look: all\n"
	    "quick: {sweep: {n: [2]}}\n"
	    "charts:\n"
	    "  - {kind: bars, y: ipc, x: workload, means: [mine, all], workloads: [mine, one], log: yes, row: 3}\n"
	    "  - {kind: lines, y: ipc, x: n, published: {GTO: {1: 2, 2: 3}}, mean: hmean, over: GTO, reduction: yes}\n"
	    "  - {kind: stacked, y: [{label: L, y: l1_hits}], published: {L: {one: 2, mine: 1, all: 3}}}\n"
	    "  - {kind: time, y: [ipc], x: cycles}\n"
	    "  - {kind: time, y: ipc, x: instructions}\n"
	    "  - {kind: heat, y: look.matrix.evictions}\n"
	    "claims:\n"
	    "  c: {flag: baseline, kind: class-mean, type: order, formula: '1 > 0', direction: '1 > 0'}\n"
	    "  d: {parts: [{type: order, formula: '1 > 0'}, {type: gain, formula: '1', bound: least, value: 1}]}\n",
	    true, &err);
	if (!loaded)
		printf("# %s\n", err.text);
	CHECK(loaded);
	const struct figure *f = papers.paper->figure;
	CHECK_EQ(f->charts, 6);
	CHECK(f->chart[0].log && f->chart[0].row == 3 && !strcmp(f->chart[0].mean, "geomean"));
	CHECK(f->chart[1].reduction && f->chart[1].row == -1 && !strcmp(f->chart[1].mean, "hmean"));
	CHECK(!strcmp(f->chart[3].x, "cycles") && !strcmp(f->chart[2].x, "workload"));
	CHECK_EQ(f->chart[1].published_count, 2);
	CHECK(papers.paper->claim[0].kind == CLAIM_CLASS_MEAN &&
	      papers.paper->claim[0].flag == CLAIM_BASELINE);
	CHECK(papers.paper->claim[1].parts == 2 && papers.paper->claim[1].part[1].bound == BOUND_LEAST);
	papers_free(&papers);
}

TEST_MAIN_AFTER(fixture_enter(),
                TEST_ENTRY(bad_charts_are_refused_with_their_place) TEST_ENTRY(charts_name_what_there_is)
                    TEST_ENTRY(bad_claims_are_refused_with_their_place)
                        TEST_ENTRY(bad_published_values_are_refused)
                            TEST_ENTRY(published_values_are_read_by_the_type_of_the_claim)
                                TEST_ENTRY(charts_that_name_what_there_is_load))
