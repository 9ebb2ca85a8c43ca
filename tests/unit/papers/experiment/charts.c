/* Charts out of values: columns, means, classes, ratios; time series and matrices; and their drawings. */
#include <math.h>

#include "lib/reproduce_fixture.h"
#include "papers/report/report.h"

/* IPC of a cell is (series + 1) * (point + 1) * 2 ^ item; "lost" has no runs, and the second workload no look. */
static struct run_totals totals;
static json_t *seen;

static bool run(void *user, const struct figure *f, size_t series, size_t point, size_t item,
                bool needs_detail, struct run_values *values, const char **message)
{
	(void)user, (void)needs_detail;
	*message = NULL;
	if (!strcmp(f->series[series].label, "lost"))
		return false;
	totals.metric[METRIC_ipc] = (double)(series + 1) * (double)(point + 1) * pow(2, (double)item);
	*values = (struct run_values){
	    .totals = &totals, .detail = item == 1 ? NULL : seen, .look = item == 1 ? NULL : "all"};
	return true;
}

static json_t *draw(const struct papers *papers, const struct figure *f, size_t chart)
{
	struct error err = {{0}};
	const struct cells cells = {.run = run};
	struct value_scope scope = {.papers = papers, .paper = f->paper, .figure = f, .cells = &cells};
	json_t *drawn = chart_values(&scope, f, &f->chart[chart], &err);
	if (!drawn)
		printf("# %s\n", err.text);
	free(scope.missing);
	return drawn;
}

/* What stands under a key of the nth drawing of a chart; "a.0.b" goes deeper. */
static bool holds(const json_t *charts, size_t n, const char *path, const char *wanted)
{
	const json_t *at = json_array_get(charts, n);
	char copy[64], *save;
	snprintf(copy, sizeof copy, "%s", path);
	for (char *key = strtok_r(copy, ".", &save); at && key; key = strtok_r(NULL, ".", &save))
		at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
	char *got = at ? json_dumps(at, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6)) : NULL;
	bool ok = got && !strcmp(got, wanted);
	if (!ok)
		printf("# %s is %s, expected %s\n", path, got ? got : "(not there)", wanted);
	free(got);
	return ok;
}

static bool load(struct papers *papers, const char *text)
{
	struct error err = {{0}};
	bool loaded = fixture_load(papers, text, false, &err);
	if (!loaded)
		printf("# %s\n", err.text);
	return loaded;
}

#define THREE                                                                                                \
	"title: T\nmachine: gtx480-ciao\nworkloads: [one, two, three]\nlook: all\n"                          \
	"sets: {small: [one, two], none: [one], pair: [two, three]}\n"                                       \
	"series: [{label: A, policy: gto}, {label: B, policy: lrr}, {label: lost, policy: gto}]\n"

TEST(columns_are_workloads_and_behind_them_means_of_sets)
{
	struct papers papers;
	CHECK(load(
	    &papers, THREE
	    "charts:\n"
	    "  - {kind: bars, y: ipc, series: [A, B], means: [small, all], mean: mean, published: {B: {two: 9, all: 8}}}\n"
	    "  - {kind: bars, y: ipc, workloads: [pair], means: [small], mean: hmean, y_title: why, unit: u, title: own}\n"
	    "  - {kind: bars, y: ipc, over: A, series: [B], means: [all], log: yes}\n"
	    "  - {kind: bars, y: ipc, over: B, reduction: yes, series: [A]}\n"
	    "  - {kind: bars, y: 'ipc[\"B\"]', workloads: [one, three]}\n"
	    "  - {kind: bars, y: ipc - 4, workloads: [pair, one], means: [pair, small], series: [A]}\n"
	    "  - {kind: bars, y: 'max(ipc)'}\n"
	    "  - {kind: bars, y: ipc, workloads: [one], means: [pair], series: [A]}\n"));
	const struct figure *f = papers.paper->figure;
	json_t *c[8];
	for (size_t i = 0; i < 8; i++)
		CHECK((c[i] = draw(&papers, f, i)));
	CHECK(holds(c[0], 0, "x", "[\"one\",\"two\",\"three\",\"small\",\"all\"]") &&
	      holds(c[0], 0, "means_from", "3"));
	CHECK(holds(c[0], 0, "series.0.values", "[1.0,2.0,4.0,1.5,2.33333]"));
	CHECK(holds(c[0], 0, "series.1.values", "[2.0,4.0,8.0,3.0,4.66667]"));
	CHECK(holds(c[0], 0, "series.1.published", "[null,9.0,null,null,8.0]"));
	CHECK(holds(c[0], 0, "title", "\"T\"") && holds(c[0], 0, "log", "false") &&
	      holds(c[0], 0, "baseline", "null"));
	CHECK(holds(c[1], 0, "x", "[\"two\",\"three\",\"small\"]") &&
	      holds(c[1], 0, "series.0.values", "[2.0,4.0,2.0]"));
	CHECK(holds(c[1], 0, "series.2.values", "[null,null,null]"));
	CHECK(holds(c[1], 0, "title", "\"own\"") && holds(c[1], 0, "y_title", "\"why\"") &&
	      holds(c[1], 0, "unit", "\"u\""));
	CHECK(holds(c[2], 0, "series.0.values", "[2.0,2.0,2.0,2.0]") && holds(c[2], 0, "baseline", "1"));
	CHECK(holds(c[2], 0, "y_title", "\"ipc / A\"") && holds(c[2], 0, "unit", "\"\"") &&
	      holds(c[2], 0, "log", "true"));
	CHECK(holds(c[3], 0, "series.0.values", "[50.0,50.0,50.0]") && holds(c[3], 0, "unit", "\"%\""));
	CHECK(holds(c[3], 0, "y_title", "\"reduction of ipc over B, %\"") &&
	      holds(c[3], 0, "baseline", "null"));
	CHECK(holds(c[4], 0, "series", "[{\"label\":\"T\",\"values\":[2.0,8.0],\"published\":[null,null]}]"));
	/* A geometric mean of what is not positive is missing; so is one of no workload. */
	CHECK(holds(c[5], 0, "series.0.values", "[-3.0,-2.0,0.0,null,null]"));
	CHECK(holds(c[6], 0, "series.0.values", "[4.0,4.0,4.0]"));
	CHECK(holds(c[7], 0, "series.0.values", "[1.0,null]"));
	for (size_t i = 0; i < 8; i++)
		json_decref(c[i]);
	papers_free(&papers);
}

TEST(a_variable_as_x_has_means_over_workloads)
{
	struct papers papers;
	CHECK(load(
	    &papers, THREE
	    "sweep: {kb: [1, 2], word: [a, b]}\ncharts:\n"
	    "  - {kind: lines, y: ipc, x: kb, series: [A], published: {A: {2: 7}}}\n"
	    "  - {kind: lines, y: ipc, x: word, series: [A], mean: mean, workloads: [one], means: [all]}\n"
	    "  - {kind: lines, y: 'max(ipc)', x: kb, series: [A]}\n"
	    "  - {kind: lines, y: 'max(ipc, \"kb\")', x: kb, series: [A]}\n"
	    "  - {kind: bars, y: 'ipc[\"A\"]', x: kb}\n"));
	const struct figure *f = papers.paper->figure;
	json_t *c[5];
	for (size_t i = 0; i < 5; i++)
		CHECK((c[i] = draw(&papers, f, i)));
	/* Other variables stand at their first value: points 0 and 2 of kb, 0 and 1 of word. */
	CHECK(holds(c[0], 0, "x", "[1.0,2.0]") && holds(c[0], 0, "x_is_number", "true"));
	CHECK(holds(c[0], 0, "series.0.values", "[2.0,6.0]") &&
	      holds(c[0], 0, "series.0.published", "[null,7.0]"));
	CHECK(holds(c[0], 0, "x_title", "\"kb\"") && holds(c[0], 0, "means_from", "null"));
	CHECK(holds(c[1], 0, "x", "[\"a\",\"b\"]") && holds(c[1], 0, "x_is_number", "false"));
	CHECK(holds(c[1], 0, "series.0.values", "[1.0,2.0]") && holds(c[1], 0, "means_from", "null"));
	CHECK(holds(c[2], 0, "series.0.values", "[4.0,12.0]"));
	CHECK(holds(c[3], 0, "series.0.values", "[]")); /* nothing varies any more */
	CHECK(holds(c[4], 0, "series.0.values", "[2.0,6.0]"));
	for (size_t i = 0; i < 5; i++)
		json_decref(c[i]);
	papers_free(&papers);
}

TEST(parts_are_stacked_for_every_series_or_once)
{
	struct papers papers;
	CHECK(load(&papers, THREE "charts:\n"
	                          "  - {kind: stacked, y: [{label: half, y: ipc / 2}, ipc], series: [B]}\n"
	                          "  - {kind: table, y: [{label: all, y: 'max(ipc, \"series\")'}]}\n"
	                          "  - {kind: table, y: ipc, over: A, workloads: [one]}\n"));
	const struct figure *f = papers.paper->figure;
	json_t *c[3];
	for (size_t i = 0; i < 3; i++)
		CHECK((c[i] = draw(&papers, f, i)));
	CHECK(json_array_size(c[0]) == 1 && holds(c[0], 0, "of", "\"B\"") && holds(c[0], 0, "stack", "true"));
	CHECK(holds(c[0], 0, "series.0.values", "[1.0,2.0,4.0]") &&
	      holds(c[0], 0, "series.1.label", "\"ipc\""));
	CHECK(json_array_size(c[1]) == 1 && holds(c[1], 0, "of", "null") && holds(c[1], 0, "stack", "false"));
	CHECK(json_array_size(c[2]) == 3 && holds(c[2], 1, "series.0.values", "[2.0]"));
	CHECK(holds(c[2], 0, "y_title", "\"over A\""));
	for (size_t i = 0; i < 3; i++)
		json_decref(c[i]);
	papers_free(&papers);
}

TEST(classes_of_a_paper_group_its_workloads)
{
	struct papers papers;
	struct error err = {{0}};
	CHECK(fixture_write("papers/ciao/paper.yaml", "title: C\nmachine: gtx480-ciao\n"));
	CHECK(fixture_write("papers/ciao/fig1.yaml", "title: t\nwhere: 1\nworkloads: [all, three]\n"
	                                             "series: [{label: A, policy: gto}]\n"
	                                             "charts: [{kind: bars, y: ipc}]\n"));
	CHECK(papers_load(&papers, "papers", false, &err));
	json_t *c = draw(&papers, papers.paper->figure, 0);
	CHECK(
	    c &&
	    holds(c, 0, "groups",
	          "[{\"label\":\"LWS\",\"from\":0,\"count\":1},{\"label\":\"CI\",\"from\":1,\"count\":1}]"));
	CHECK(holds(c, 0, "x", "[\"TWO\",\"ONE\",\"three\"]"));
	json_decref(c);
	papers_free(&papers);
}

TEST(time_and_matrices_are_of_the_runs_that_looked)
{
	struct papers papers;
	CHECK(load(
	    &papers, THREE
	    "charts:\n"
	    "  - {kind: time, y: [ipc, {label: L, y: active_warps}], x: cycles, series: [A], workloads: [one]}\n"
	    "  - {kind: time, y: ipc, series: [A], workloads: [one]}\n"
	    "  - {kind: heat, y: look.matrix.lost, series: [A], workloads: [one, two]}\n"
	    "  - {kind: heat, y: look.matrix.lost, series: [A], workloads: [three], row: 1}\n"
	    "  - {kind: time, y: ipc, series: [lost]}\n"));
	const struct figure *f = papers.paper->figure;
	json_t *c[5];
	seen = json_loads(
	    "{\"launches\": [{\"look\": {\"series\": {\"cycle\": [10, 20], \"thread_ipc\": [1, 2], \"ipc\": [5, 6]},"
	    "\"matrix\": {\"lost\": [[1, 2], [3, 4]]}}},"
	    "{\"look\": {\"series\": {\"cycle\": [5], \"thread_ipc\": [4], \"ipc\": [7]}}}]}",
	    0, NULL);
	CHECK(seen);
	for (size_t i = 0; i < 5; i++)
		CHECK((c[i] = draw(&papers, f, i)));
	CHECK(holds(c[0], 0, "panels.0.series.0.x", "[10.0,20.0,25.0]") &&
	      holds(c[0], 0, "x_title", "\"cycles\""));
	CHECK(holds(c[0], 0, "panels.0.series.0.values", "[5,6,7]") &&
	      holds(c[0], 0, "panels.1.y_title", "\"L\""));
	CHECK(holds(c[0], 0, "panels.0.series.0.label", "\"A, one\""));
	CHECK(holds(c[1], 0, "panels.0.series.0.x", "[10.0,30.0,50.0]"));
	CHECK(holds(c[1], 0, "x_title", "\"thread instructions\""));
	CHECK(holds(c[2], 0, "panels.0.values", "[[1.0,2.0],[3.0,4.0]]"));
	CHECK_EQ(json_array_size(json_object_get(json_array_get(c[2], 0), "panels")), 1);
	CHECK(holds(c[3], 0, "panels.0.values", "[[3.0,4.0]]") && holds(c[3], 0, "panels.0.rows", "1"));
	CHECK(holds(c[4], 0, "panels.0.series", "[]"));
	for (size_t i = 0; i < 5; i++)
		json_decref(c[i]);
	json_decref(seen);
	seen = NULL;
	papers_free(&papers);
}

TEST(what_cannot_be_drawn_is_refused_when_it_is_loaded)
{
	static const struct refusal cases[] = {
	    {EXPERIMENT "charts: [{kind: bars, y: 'ipc[\"GTO\"]', over: GTO}]\n",
	     "e.yaml:5:31: 'over' needs a value of every series"},
	    {EXPERIMENT "charts: [{kind: table, y: ['ipc[\"GTO\"]'], over: GTO}]\n",
	     "e.yaml:5:33: 'over' needs a value of every series"},
	};
	REFUSES(cases);
}

/* The drawing of a chart in JSON; every text of `has` is in it, and no number is missing from it. */
static bool drawn(const char *chart, const char *const *has)
{
	json_t *json = json_loads(chart, 0, NULL);
	char *svg = json ? reproduction_chart_svg(json) : NULL;
	bool ok = svg && !strstr(svg, "nan") && !strstr(svg, "inf") && strstr(svg, "</svg>");
	if (!ok)
		printf("# %s: %s\n", chart, svg ? svg : "no drawing");
	for (; ok && *has; has++)
		if (!strstr(svg, *has)) {
			printf("# %s lacks %s:\n%s", chart, *has, svg);
			ok = false;
		}
	free(svg);
	json_decref(json);
	return ok;
}
#define DRAWN(chart, ...) CHECK(drawn(chart, (const char *const[]){__VA_ARGS__, NULL}))

TEST(bars_are_drawn_whatever_their_values)
{
	DRAWN(
	    "{\"kind\": \"bars\", \"title\": \"<a & \\\"b\\\">\", \"unit\": \"u\", \"x\": [\"p\", 2], \"series\": "
	    "[{\"label\": \"A\", \"values\": [1, null], \"published\": [2, null]}]}",
	    "&lt;a &amp; &quot;b&quot;&gt;", ">u</text>", "p, A: 1<", "published 2<", ">published</text>");
	DRAWN(
	    "{\"kind\": \"bars\", \"log\": true, \"x\": [1, 2, 3], \"series\": [{\"label\": \"A\", \"values\": [0.02, 300, 0]},"
	    "{\"label\": \"B\", \"values\": [-5, null, 40]}]}",
	    ">0.02</text>", ">0.05</text>", ">100</text>", ">200</text>", ": -5<");
	DRAWN(
	    "{\"kind\": \"bars\", \"log\": true, \"x\": [1], \"series\": [{\"label\": \"A\", \"values\": [null]}]}",
	    ">1</text>", ">10</text>");
	DRAWN("{\"kind\": \"bars\", \"x\": [], \"series\": []}", "<svg");
	DRAWN("{\"kind\": \"bars\", \"x\": [1], \"series\": [{\"label\": \"A\", \"values\": [0]}]}",
	      ">0.2</text>");
	DRAWN(
	    "{\"kind\": \"stacked\", \"stack\": true, \"of\": \"S\", \"title\": \"T\", \"y_title\": \"y\", \"unit\": \"u\", \"x\": [1], \"series\": "
	    "[{\"label\": \"A\", \"values\": [3]}, {\"label\": \"B\", \"values\": [null]}, {\"label\": \"C\", \"values\": [4]}]}",
	    ">T: S</text>", ">y, u</text>", ">8</text>");
	DRAWN(
	    "{\"kind\": \"bars\", \"baseline\": 1, \"mean\": \"geomean\", \"means_from\": 2, \"groups\": [{\"label\": \"G\", \"from\": 0,"
	    "\"count\": 1}, {\"label\": \"H\", \"from\": 1, \"count\": 1}], \"x\": [\"p\", \"q\", \"all\"], \"series\": "
	    "[{\"label\": \"A\", \"values\": [1, 2, 3]}]}",
	    ">G</text>", ">H</text>", ">geomean</text>", "stroke-dasharray=\"1 3\"");
	/* One class alone needs no name; five series are narrow, and their legend takes two lines. */
	DRAWN(
	    "{\"kind\": \"bars\", \"groups\": [{\"label\": \"alone\", \"from\": 0, \"count\": 1}], \"x\": [\"p\"], \"series\": "
	    "[{\"label\": \"a series of a long name\", \"values\": [1]}, {\"label\": \"a series of a long name\", \"values\": [1]},"
	    "{\"label\": \"a series of a long name\", \"values\": [1]}, {\"label\": \"a series of a long name\", \"values\": [1]},"
	    "{\"label\": \"last\", \"values\": [1]}]}",
	    "width=\"6.0\"", ">last</text>");
}

TEST(lines_are_drawn_whatever_their_values)
{
	DRAWN(
	    "{\"kind\": \"lines\", \"x\": [1, \"b\", 3], \"x_title\": \"kb\", \"series\": [{\"label\": \"A\", \"values\": [1, null, 3],"
	    "\"published\": [null, 2, null]}, {\"label\": \"B\", \"values\": [5, 6, 7]}]}",
	    "<title>published 2</title>", ">kb</text>", "polyline");
	DRAWN("{\"kind\": \"lines\", \"x\": [1], \"series\": [{\"label\": \"A\", \"values\": [4]}]}",
	      ">4</text>", ">8</text>");
	DRAWN("{\"kind\": \"lines\", \"x\": [1], \"series\": [{\"label\": \"A\", \"values\": [0]}]}",
	      ">0</text>");
	DRAWN(
	    "{\"kind\": \"lines\", \"x\": [1, 2], \"series\": [{\"label\": \"A\", \"values\": [null, null]}]}",
	    ">0.2</text>");
	DRAWN(
	    "{\"kind\": \"lines\", \"log\": true, \"baseline\": 1, \"x\": [1, 2, 3, 4], \"series\": [{\"label\": \"A\", \"values\": [0, 10, -1, 100]}]}",
	    ">10</text>", ">50</text>", ">100</text>");
	/* Values that differ by rounding alone are one value. */
	DRAWN(
	    "{\"kind\": \"lines\", \"x\": [1, 2], \"series\": [{\"label\": \"A\", \"values\": [1, 1.0000000000000002]}]}",
	    ">2</text>");
	DRAWN("{\"kind\": \"lines\", \"x\": [1, 2], \"series\": [{\"label\": \"A\", \"values\": [-3, -3]}]}",
	      ">-3</text>", ">0</text>");
}

TEST(panels_of_time_and_matrices_are_drawn)
{
	DRAWN(
	    "{\"kind\": \"time\", \"x_title\": \"cycles\", \"panels\": [{\"y_title\": \"one\", \"series\": [{\"label\": \"A\", \"x\": [500, 2000],"
	    "\"values\": [1, 2]}]}, {\"y_title\": \"two\", \"series\": [{\"label\": \"B\", \"x\": [1000000, 6000000], \"values\": [null, 2]}]},"
	    "{\"y_title\": \"three\", \"series\": [{\"label\": \"B\", \"x\": [9], \"values\": [0]}]},"
	    "{\"y_title\": \"four\", \"series\": [{\"label\": \"B\", \"x\": [9], \"values\": [0]}, {\"label\": \"C\", \"x\": [], \"values\": []}]},"
	    "{\"y_title\": \"none\", \"series\": []}]}",
	    ">1 K</text>", ">6 M</text>", ">two</text>", ">C</text>", ">none</text>", ">cycles</text>");
	DRAWN(
	    "{\"kind\": \"heat\", \"panels\": [{\"label\": \"A, p\", \"rows\": 2, \"columns\": 2, \"values\": [[0, 2], [null, 4]]},"
	    "{\"label\": \"nothing\", \"rows\": 2, \"columns\": 2, \"values\": [[0, 0], [0, 0]]}]}",
	    "<title>1 by 1: 4</title>", "fill-opacity=\"0.520\"", ">all 0</text>");
	DRAWN(
	    "{\"kind\": \"heat\", \"panels\": [{\"label\": \"A, p\", \"rows\": 1, \"columns\": 6, \"values\": [[1, null, 3, 4, 5, 6]]},"
	    "{\"label\": \"nothing\", \"rows\": 1, \"columns\": 1, \"values\": [[0]]}]}",
	    "<title>warp 5: 6</title>", ">4</text>", ">all 0</text>");
	json_t *table = json_pack("{s:s}", "kind", "table");
	CHECK(!reproduction_chart_svg(table)); /* a table is no drawing */
	json_decref(table);
}

TEST(drawings_go_into_a_folder_one_file_per_chart)
{
	struct error err = {{0}};
	json_t *report = json_loads(
	    "{\"papers\": [{\"name\": \"p\", \"figures\": [{\"id\": \"f\", \"charts\": [{\"kind\": \"bars\"}, {\"kind\": \"table\"},"
	    "{\"kind\": \"lines\"}]}]}, {\"name\": \"\", \"figures\": [{\"id\": \"own\", \"charts\": [{\"kind\": \"bars\"}]}]}]}",
	    0, NULL);
	char folder[PATH_MAX];
	CHECK(report && reproduction_svg(report, "drawn/here", &err));
	CHECK(!access("drawn/here/p-f.svg", R_OK) && !access("drawn/here/p-f-3.svg", R_OK) &&
	      !access("drawn/here/own.svg", R_OK) && access("drawn/here/p-f-2.svg", R_OK));
	CHECK(fixture_write("plain", "x"));
	CHECK(!reproduction_svg(report, "plain/here", &err) && strstr(err.text, "plain"));
	CHECK(!mkdir("taken", 0700) && !mkdir("taken/p-f.svg", 0700));
	CHECK(!reproduction_svg(report, "taken", &err) && strstr(err.text, "taken/p-f.svg"));
	/* A folder whose name leaves no room for a file's. */
	snprintf(folder, sizeof folder, "%*s", PATH_MAX - 5, "deep");
	for (char *at = folder; *at == ' '; at++)
		*at = (at - folder) % 2 ? '/' : '.';
	CHECK(!reproduction_svg(report, folder, &err) && err.text[0]);
	json_decref(report);
}

TEST_MAIN_AFTER(fixture_enter(),
                TEST_ENTRY(columns_are_workloads_and_behind_them_means_of_sets)
                    TEST_ENTRY(a_variable_as_x_has_means_over_workloads)
                        TEST_ENTRY(parts_are_stacked_for_every_series_or_once)
                            TEST_ENTRY(classes_of_a_paper_group_its_workloads)
                                TEST_ENTRY(time_and_matrices_are_of_the_runs_that_looked)
                                    TEST_ENTRY(what_cannot_be_drawn_is_refused_when_it_is_loaded)
                                        TEST_ENTRY(bars_are_drawn_whatever_their_values)
                                            TEST_ENTRY(lines_are_drawn_whatever_their_values)
                                                TEST_ENTRY(panels_of_time_and_matrices_are_drawn)
                                                    TEST_ENTRY(drawings_go_into_a_folder_one_file_per_chart))
