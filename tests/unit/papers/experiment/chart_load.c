/* Charts and claims of an experiment: what is refused, with line and column, and what the rest is read as. */
#include <math.h>

#include "lib/reproduce_fixture.h"

/* Bars with keys, a claim with keys, and its values. */
#define BARS(keys, message) LINE("charts: [{kind: bars, y: ipc, " keys "}]", message)
#define CLAIM(keys, message) LINE("claims: {c: {" keys "}}", message)
#define VALUE(type, value, message)                                                                          \
	CLAIM("type: " type ", formula: 'ipc[\"GTO\", \"one\"]', value: " value, message)
#define NO_GAIN(value)                                                                                       \
	VALUE("gain", value, "63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found " value)
#define NO_RATE(value) VALUE("rate", value, "63: expected percent such as 58% for value, found " value)
#define NO_QUANTITY(value)                                                                                   \
	VALUE("quantity", value, "67: expected a number such as 12, 0.5 or 60K for value, found " value)

TEST(bad_charts_are_refused_with_their_place)
{
	REFUSES(((const struct refusal[]){
	    LINE("charts: 3", "9: expected a list of charts for charts, found 3"),
	    LINE("charts: [3]", "10: expected a group of keys, found 3"),
	    LINE("charts: [{y: ipc}]", "10: a chart has a kind and a y"),
	    LINE("charts: [{kind: bars}]", "10: a chart has a kind and a y"),
	    BARS("z: 1", "31: unknown key of a chart 'z'; did you mean 'y'?"),
	    LINE("charts: [{kind: [a], y: ipc}]", "17: expected a word for kind, found a list"),
	    LINE("charts: [{kind: bar, y: ipc}]", "17: unknown kind 'bar'; did you mean 'bars'?"),
	    LINE("charts: [{kind: bars, y: {a: 1}}]",
	         "26: expected a formula or a list of {label, y} for y, found a group of keys"),
	    LINE("charts: [{kind: bars, y: []}]",
	         "26: expected a formula or a list of {label, y} for y, found a list"),
	    LINE("charts: [{kind: bars, y: [{label: A}]}]", "27: a part has a label and a y"),
	    LINE("charts: [{kind: bars, y: [{y: ipc}]}]", "27: a part has a label and a y"),
	    LINE("charts: [{kind: bars, y: [{labl: A, y: ipc}]}]",
	         "28: unknown key of a part 'labl'; did you mean 'label'?"),
	    LINE("charts: [{kind: bars, y: [{label: [a], y: ipc}]}]",
	         "35: expected one line of text for label, found a list"),
	    LINE("charts: [{kind: bars, y: ipc +}]", "31: expected a value at the end"),
	    LINE("charts: [{kind: bars, y: [ipc +]}]", "32: expected a value at the end"),
	    LINE("charts: [{kind: bars, y: [[a]]}]", "27: expected a group of keys, found a list"),
	    LINE("charts: [{kind: bars, y: \"ipc\\t\"}]", "26: expected one line of text for y, found ipc?"),
	    BARS("title: [a]", "38: expected one line of text for title, found a list"),
	    BARS("y_title: [a]", "40: expected one line of text for y_title, found a list"),
	    BARS("unit: [a]", "37: expected one line of text for unit, found a list"),
	    BARS("mean: [a]", "37: expected a word for mean, found a list"),
	    BARS("mean: man", "37: unknown mean 'man'; did you mean 'mean'?"),
	    BARS("log: x", "36: expected yes or no for log, found x"),
	    BARS("reduction: x", "42: expected yes or no for reduction, found x"),
	    BARS("row: x", "36: expected a number for row, found x"),
	    BARS("row: [1]", "36: expected a number for row, found a list"),
	    BARS("row: 1e999", "36: expected a number for row, found 1e999"),
	    BARS("row: +", "36: expected a number for row, found +"),
	    BARS("row: 1x", "36: expected a number for row, found 1x"),
	    BARS("row: ", "36: expected a number for row, found nothing"),
	    BARS("row: -1", "36: expected a warp's number for row, found -1"),
	    BARS("row: 1.5", "36: expected a warp's number for row, found 1.5"),
	    BARS("row: 1e10", "36: expected a warp's number for row, found 1e10"),
	    BARS("x: [a]", "34: expected one line of text for x, found a list"),
	    BARS("x: kb", "34: expected workload or a variable of sweep for x, found kb"),
	    LINE("charts: [{kind: time, y: ipc, x: workload}]",
	         "34: expected instructions or cycles for x, found workload"),
	    LINES("sweep: {n: [1]}\ncharts: [{kind: bars, y: ipc, x: m}]",
	          "6:34: expected workload or a variable of sweep for x, found m"),
	    BARS("series: {a: 1}", "39: expected a list for series, found a group of keys"),
	    BARS("series: [X]", "39: no series 'X'"),
	    BARS("workloads: {a: 1}", "42: expected a list for workloads, found a group of keys"),
	    BARS("means: {a: 1}", "38: expected a list for means, found a group of keys"),
	    BARS("over: [a]", "37: expected one line of text for over, found a list"),
	    BARS("over: X", "37: no series 'X'"),
	    BARS("reduction: yes", "10: a reduction needs 'over'"),
	    BARS("published: 3", "42: expected {series: {x: value}} for published, found 3"),
	    BARS("published: {GTO: 3}", "48: expected {x: value} for GTO, found 3"),
	    BARS("published: {GTO: {ONE: x}}", "54: expected a number for ONE, found x")}));
}

TEST(charts_name_what_there_is)
{
	REFUSES(((const struct refusal[]){
	    LINES("charts: [{kind: bars, y: ipc, means: [al]}]", " charts: means: no set or class 'al'"),
	    LINES("charts: [{kind: bars, y: ipc, workloads: [oen]}]",
	          " charts: workloads: no set or class 'oen'; did you mean 'one'?"),
	    LINES("charts: [{kind: bars, y: ipc, workloads: [elephant]}]",
	          " charts: workloads: no set or class 'elephant'"),
	    LINES("sets: {mine: [one]}\ncharts: [{kind: bars, y: ipc, means: [mien]}]",
	          " charts: means: no set or class 'mien'; did you mean 'mine'?"),
	    LINES("charts: [{kind: bars, y: ipc, published: {GTI: {one: 1}}}]",
	          " charts: published: no series 'GTI'"),
	    LINES("charts: [{kind: bars, y: ipc, published: {GTO: {oen: 1}}}]",
	          " charts: published: GTO: no workload, set or value 'oen'"),
	    LINES("sweep: {n: [1]}\ncharts: [{kind: bars, y: ipc, x: n, published: {GTO: {2: 1}}}]",
	          " charts: published: GTO: no workload, set or value '2'"),
	    LINE("charts: [{kind: bars, y: ipcc}]", "26: unknown metric 'ipcc'; did you mean 'ipc'?"),
	    LINE("charts: [{kind: time, y: ipc}]", "26: this chart needs 'look: series'"),
	    LINES("look: matrix\ncharts: [{kind: time, y: ipc}]", "6:26: this chart needs 'look: series'"),
	    LINES("look: all\ncharts: [{kind: time, y: ipcc}]", "6:26: look.series has no field 'ipcc'"),
	    LINES("look: series\ncharts: [{kind: heat, y: look.matrix.lost}]",
	          "6:26: this chart needs 'look: matrix'"),
	    LINES("look: matrix\ncharts: [{kind: heat, y: look.matrix.losst}]",
	          "6:26: expected look.matrix.lost or look.matrix.evictions")}));
}

TEST(bad_claims_are_refused_with_their_place)
{
	REFUSES(((const struct refusal[]){
	    LINE("claims: 3", "9: expected claims by their ids for claims, found 3"),
	    LINE("claims: {c: 3}", "13: expected a group of keys for c, found 3"),
	    CLAIM("typ: gain", "14: unknown key of a claim 'typ'; did you mean 'type'?"),
	    CLAIM("type: gain", "13: the key 'formula' is missing"),
	    CLAIM("formula: ipc", "13: the key 'type' is missing"),
	    CLAIM("type: [a], formula: '1'", "20: expected a word for type, found a list"),
	    CLAIM("type: gian, formula: '1'", "20: unknown type 'gian'; did you mean 'gain'?"),
	    CLAIM("type: order, formula: '1', bound: least", "48: an order has no bound"),
	    CLAIM("type: gain, formula: '1', bound: [a]", "47: expected a word for bound, found a list"),
	    CLAIM("type: gain, formula: '1', bound: lest", "47: unknown bound 'lest'; did you mean 'least'?"),
	    CLAIM("type: gain, formula: '1', direction: '1'", "51: only an order has a direction of its own"),
	    CLAIM("type: order, formula: 1 +", "39: expected a value at the end"),
	    CLAIM("type: order, formula: '1', direction: 1 +", "55: expected a value at the end"),
	    CLAIM("type: order, formula: '1', value: 1", "48: an order has no value: it holds or not"),
	    CLAIM("type: gain, formula: '1'", "13: the key 'value' is missing"),
	    CLAIM("flag: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'",
	          "20: expected a word for flag, found a list"),
	    CLAIM("flag: predict, type: gain, formula: 'ipc[\"GTO\", \"one\"]'",
	          "20: unknown flag 'predict'"),
	    CLAIM("kind: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'",
	          "20: expected a word for kind, found a list"),
	    CLAIM("kind: headlin, type: gain, formula: 'ipc[\"GTO\", \"one\"]'",
	          "20: unknown kind 'headlin'; did you mean 'headline'?"),
	    CLAIM("where: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'",
	          "21: expected one line of text for where, found a list"),
	    CLAIM("says: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'",
	          "20: expected one line of text for says, found a list"),
	    CLAIM("note: [a], type: gain, formula: 'ipc[\"GTO\", \"one\"]'",
	          "20: expected one line of text for note, found a list"),
	    CLAIM("type: order, formula: '1'}, c: {type: order, formula: '1'",
	          "42: c is given twice; first on line 5"),
	    CLAIM("parts: 3", "21: expected a list of {type, formula, value} for parts, found 3"),
	    CLAIM("parts: []", "21: expected a list of {type, formula, value} for parts, found a list"),
	    CLAIM("parts: [3]", "22: expected a group of keys, found 3"),
	    CLAIM("parts: [{typ: gain}]", "23: unknown key of a part 'typ'; did you mean 'type'?"),
	    CLAIM("parts: [{type: gain}]", "22: the key 'formula' is missing"),
	    CLAIM("parts: [{type: gain, formula: 1}], formula: 1", "58: 'formula' together with 'parts'"),
	    CLAIM("not_measurable: so, type: gain", "40: 'type' together with 'not_measurable'"),
	    CLAIM("not_measurable: so, parts: []", "41: 'parts' together with 'not_measurable'"),
	    CLAIM("not_measurable: [a]", "30: expected one line of text for not_measurable, found a list"),
	    CLAIM("type: order, formula: nothing", "36: unknown metric 'nothing'"),
	    CLAIM("type: order, formula: '1', direction: nothing", "52: unknown metric 'nothing'"),
	    CLAIM(
	        "type: order, formula: ipc",
	        "36: many values, by series and workload, where one is expected: take a mean, max or all")}));
}

TEST(bad_published_values_are_refused)
{
	REFUSES(((const struct refusal[]){
	    VALUE("gain", "[]", "63: no value in the list"),
	    VALUE("gain", "[x]", "64: expected a ratio such as 1.54, 1.54x, +54% or -15%, found x"),
	    VALUE("gain", "{a: 1}",
	          "63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found a group of keys"),
	    VALUE("gain", "",
	          "63: expected a ratio such as 1.54, 1.54x, +54% or -15% for value, found nothing"),
	    NO_GAIN("x"), NO_GAIN("1e999"), NO_QUANTITY("5%"), NO_GAIN("5%"), NO_GAIN("+1.5x"),
	    NO_GAIN("1.5xx"), NO_RATE("1.5x"), NO_GAIN("+5"), NO_GAIN("-5"), NO_RATE("5y"), NO_RATE("5%%"),
	    NO_QUANTITY("5KK"), NO_QUANTITY("5T"), NO_QUANTITY("nan")}));
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

TEST_RUN_ALL(fixture_enter())
