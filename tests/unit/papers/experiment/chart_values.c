/* Charts out of values: columns, means, classes, ratios; time series and matrices. */
#include <math.h>

#include "lib/reproduce_fixture.h"
#include "papers/experiment/chart_values.h"

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

static bool draw_all(const struct papers *papers, const struct figure *f, json_t **charts, size_t count)
{
	bool all = true;
	for (size_t i = 0; i < count; i++)
		all &= (charts[i] = draw(papers, f, i)) != NULL;
	return all;
}

static void drop_all(json_t **charts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		json_decref(charts[i]);
}

/* Check the value of a key of the nth document of a chart; "a.0.b" is a path. */
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

struct expected {
	size_t chart; /* of the figure */
	const char *path, *wanted;
};

static bool all_hold(json_t *const *drawn, const struct expected *table, size_t count)
{
	bool all = true;
	for (size_t i = 0; i < count; i++)
		all &= holds(drawn[table[i].chart], 0, table[i].path, table[i].wanted);
	return all;
}
#define HOLD(drawn, ...)                                                                                     \
	do {                                                                                                 \
		static const struct expected table[] = {__VA_ARGS__};                                        \
		CHECK(all_hold(drawn, table, sizeof table / sizeof *table));                                 \
	} while (0)

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
	CHECK(draw_all(&papers, f, c, 8));
	HOLD(c, {0, "x", "[\"one\",\"two\",\"three\",\"small\",\"all\"]"}, {0, "means_from", "3"},
	     {0, "series.0.values", "[1.0,2.0,4.0,1.5,2.33333]"},
	     {0, "series.1.values", "[2.0,4.0,8.0,3.0,4.66667]"},
	     {0, "series.1.published", "[null,9.0,null,null,8.0]"}, {0, "title", "\"T\""},
	     {0, "log", "false"}, {0, "baseline", "null"}, {1, "x", "[\"two\",\"three\",\"small\"]"},
	     {1, "series.0.values", "[2.0,4.0,2.0]"}, {1, "series.2.values", "[null,null,null]"},
	     {1, "title", "\"own\""}, {1, "y_title", "\"why\""}, {1, "unit", "\"u\""},
	     {2, "series.0.values", "[2.0,2.0,2.0,2.0]"}, {2, "baseline", "1"}, {2, "y_title", "\"ipc / A\""},
	     {2, "unit", "\"\""}, {2, "log", "true"}, {3, "series.0.values", "[50.0,50.0,50.0]"},
	     {3, "unit", "\"%\""}, {3, "y_title", "\"reduction of ipc over B, %\""}, {3, "baseline", "null"},
	     {4, "series", "[{\"label\":\"T\",\"values\":[2.0,8.0],\"published\":[null,null]}]"});
	/* A geometric mean of what is not positive is missing; so is one of no workload. */
	HOLD(c, {5, "series.0.values", "[-3.0,-2.0,0.0,null,null]"}, {6, "series.0.values", "[4.0,4.0,4.0]"},
	     {7, "series.0.values", "[1.0,null]"});
	drop_all(c, 8);
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
	CHECK(draw_all(&papers, f, c, 5));
	/* Other variables stand at their first value: points 0 and 2 of kb, 0 and 1 of word. */
	HOLD(c, {0, "x", "[1.0,2.0]"}, {0, "x_is_number", "true"}, {0, "series.0.values", "[2.0,6.0]"},
	     {0, "series.0.published", "[null,7.0]"}, {0, "x_title", "\"kb\""}, {0, "means_from", "null"},
	     {1, "x", "[\"a\",\"b\"]"}, {1, "x_is_number", "false"}, {1, "series.0.values", "[1.0,2.0]"},
	     {1, "means_from", "null"}, {2, "series.0.values", "[4.0,12.0]"},
	     {3, "series.0.values", "[]"} /* nothing varies any more */, {4, "series.0.values", "[2.0,6.0]"});
	drop_all(c, 5);
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
	CHECK(draw_all(&papers, f, c, 3));
	CHECK(json_array_size(c[0]) == 1 && holds(c[0], 0, "of", "\"B\"") && holds(c[0], 0, "stack", "true"));
	HOLD(c, {0, "series.0.values", "[1.0,2.0,4.0]"}, {0, "series.1.label", "\"ipc\""});
	CHECK(json_array_size(c[1]) == 1 && holds(c[1], 0, "of", "null") && holds(c[1], 0, "stack", "false"));
	CHECK(json_array_size(c[2]) == 2 && holds(c[2], 0, "series.0.values", "[2.0]"));
	HOLD(c, {2, "y_title", "\"over A\""});
	drop_all(c, 3);
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
	CHECK(draw_all(&papers, f, c, 5));
	HOLD(c, {0, "panels.0.series.0.x", "[10.0,20.0,25.0]"}, {0, "x_title", "\"cycles\""},
	     {0, "panels.0.series.0.values", "[5,6,7]"}, {0, "panels.1.y_title", "\"L\""},
	     {0, "panels.0.series.0.label", "\"A, one\""}, {1, "panels.0.series.0.x", "[10.0,30.0,50.0]"},
	     {1, "x_title", "\"thread instructions\""}, {2, "panels.0.values", "[[1.0,2.0],[3.0,4.0]]"});
	CHECK_EQ(json_array_size(json_object_get(json_array_get(c[2], 0), "panels")), 1);
	HOLD(c, {3, "panels.0.values", "[[3.0,4.0]]"}, {3, "panels.0.rows", "1"},
	     {4, "panels.0.series", "[]"});
	drop_all(c, 5);
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

TEST_RUN_ALL(fixture_enter())
