/* Drawings of charts: whatever the values, there is a file without "nan" or "inf" that has the labels and marks. */
#include "report/chart/chart.h"

#include "scratch.h"
#include "test.h"

/* A chart with ' in place of ", and texts that its drawing has. */
struct drawing {
	const char *chart, *has[8];
};

static json_t *read_chart(const char *text)
{
	char copy[2048];
	snprintf(copy, sizeof copy, "%s", text);
	for (char *at = copy; (at = strchr(at, '\''));)
		*at = '"';
	return json_loads(copy, 0, NULL);
}

static bool drawn(const struct drawing *drawing)
{
	json_t *json = read_chart(drawing->chart);
	char *svg = json ? chart_svg(json) : NULL;
	bool ok = svg && !strstr(svg, "nan") && !strstr(svg, "inf") && strstr(svg, "</svg>");
	if (!ok)
		printf("# %s: %s\n", drawing->chart, svg ? svg : "no drawing");
	for (const char *const *has = drawing->has; ok && *has; has++)
		if (!strstr(svg, *has)) {
			printf("# %s lacks %s:\n%s", drawing->chart, *has, svg);
			ok = false;
		}
	free(svg);
	json_decref(json);
	return ok;
}
#define DRAWN(...)                                                                                           \
	do {                                                                                                 \
		static const struct drawing table[] = {__VA_ARGS__};                                         \
		for (size_t i = 0; i < sizeof table / sizeof *table; i++)                                    \
			CHECK(drawn(&table[i]));                                                             \
	} while (0)

TEST(bars_are_drawn_whatever_their_values)
{
	DRAWN(
	    {"{'kind': 'bars', 'title': '<a & \\\"b\\\">', 'unit': 'u', 'x': ['p', 2], 'series': [{'label': "
	     "'A', 'values': [1, null], 'published': [2, null]}]}",
	     {"&lt;a &amp; &quot;b&quot;&gt;", ">u</text>", "p, A: 1<", "published 2<", ">published</text>"}},
	    {"{'kind': 'bars', 'log': true, 'x': [1, 2, 3], 'series': [{'label': 'A', 'values': [0.02, 300, "
	     "0]},{'label': 'B', 'values': [-5, null, 40]}]}",
	     {">0.02</text>", ">0.05</text>", ">100</text>", ">200</text>", ": -5<"}},
	    {"{'kind': 'bars', 'log': true, 'x': [1], 'series': [{'label': 'A', 'values': [null]}]}",
	     {">1</text>", ">10</text>"}},
	    {"{'kind': 'bars', 'x': [], 'series': []}", {"<svg"}},
	    {"{'kind': 'bars', 'x': [1], 'series': [{'label': 'A', 'values': [0]}]}", {">0.2</text>"}},
	    {"{'kind': 'stacked', 'stack': true, 'of': 'S', 'title': 'T', 'y_title': 'y', 'unit': 'u', 'x': "
	     "[1], 'series': [{'label': 'A', 'values': [3]}, {'label': 'B', 'values': [null]}, {'label': 'C', "
	     "'values': [4]}]}",
	     {">T: S</text>", ">y, u</text>", ">8</text>"}},
	    {"{'kind': 'bars', 'baseline': 1, 'mean': 'geomean', 'means_from': 2, 'groups': [{'label': 'G', "
	     "'from': 0,'count': 1}, {'label': 'H', 'from': 1, 'count': 1}], 'x': ['p', 'q', 'all'], "
	     "'series': [{'label': 'A', 'values': [1, 2, 3]}]}",
	     {">G</text>", ">H</text>", ">geomean</text>", "stroke-dasharray=\"1 3\""}},
	    /* One class alone needs no name; five series fill the width, and their legend takes two lines. */
	    {"{'kind': 'bars', 'groups': [{'label': 'alone', 'from': 0, 'count': 1}], 'x': ['p'], 'series': "
	     "[{'label': 'a series of a long name', 'values': [1]}, {'label': 'a series of a long name', "
	     "'values': [1]},{'label': 'a series of a long name', 'values': [1]}, {'label': 'a series of a "
	     "long name', 'values': [1]},{'label': 'last', 'values': [1]}]}",
	     {"width=\"47.0\"", ">last</text>"}},
	    {"{'kind': 'bars', 'width_mm': 84, 'x': [1, 2, 3, 4, 5, 6, 7, 8, 9], 'series': [{'label': 'A', 'values': [1, 2, 3, 4, "
	     "5, 6, 7, 8, 9]}, {'label': 'B', 'values': [1, 2, 3, 4, 5, 6, 7, 8, 9]}]}",
	     {"width=\"84mm\"", "viewBox=\"0 0 317 "}},
	    {"{'kind': 'bars', 'x': [1], 'series': [{'label': 'A', 'values': [4], 'least': [3], 'most': [9.5]}]}",
	     {"class=\"w\"", "3 to 9.5<", ">10</text>"}});
}

TEST(lines_are_drawn_whatever_their_values)
{
	DRAWN(
	    {"{'kind': 'lines', 'x': [1, 'b', 3], 'x_title': 'kb', 'series': [{'label': 'A', 'values': [1, "
	     "null, 3],'published': [null, 2, null]}, {'label': 'B', 'values': [5, 6, 7]}]}",
	     {"<title>published 2</title>", ">kb</text>", "polyline"}},
	    {"{'kind': 'lines', 'x': [1], 'series': [{'label': 'A', 'values': [4]}]}",
	     {">4</text>", ">8</text>"}},
	    {"{'kind': 'lines', 'x': [1], 'series': [{'label': 'A', 'values': [0]}]}", {">0</text>"}},
	    {"{'kind': 'lines', 'x': [1, 2], 'series': [{'label': 'A', 'values': [null, null]}]}",
	     {">0.2</text>"}},
	    {"{'kind': 'lines', 'log': true, 'baseline': 1, 'x': [1, 2, 3, 4], 'series': [{'label': 'A', "
	     "'values': [0, 10, -1, 100]}]}",
	     {">10</text>", ">50</text>", ">100</text>"}},
	    /* Values that differ by rounding alone are one value. */
	    {"{'kind': 'lines', 'x': [1, 2], 'series': [{'label': 'A', 'values': [1, 1.0000000000000002]}]}",
	     {">2</text>"}},
	    {"{'kind': 'lines', 'x': [1, 2], 'series': [{'label': 'A', 'values': [-3, -3]}]}",
	     {">-3</text>", ">0</text>"}});
}

TEST(panels_of_time_and_matrices_are_drawn)
{
	DRAWN(
	    {"{'kind': 'time', 'x_title': 'cycles', 'panels': [{'y_title': 'one', 'series': [{'label': 'A', "
	     "'x': [500, 2000],'values': [1, 2]}]}, {'y_title': 'two', 'series': [{'label': 'B', 'x': "
	     "[1000000, 6000000], 'values': [null, 2]}]},{'y_title': 'three', 'series': [{'label': 'B', 'x': "
	     "[9], 'values': [0]}]},{'y_title': 'four', 'series': [{'label': 'B', 'x': [9], 'values': [0]}, "
	     "{'label': 'C', 'x': [], 'values': []}]},{'y_title': 'none', 'series': []}]}",
	     {">1 K</text>", ">6 M</text>", ">two</text>", ">C</text>", ">none</text>", ">cycles</text>"}},
	    {"{'kind': 'heat', 'panels': [{'label': 'A, p', 'rows': 2, 'columns': 2, 'values': [[0, 2], "
	     "[null, 4]]},{'label': 'nothing', 'rows': 2, 'columns': 2, 'values': [[0, 0], [0, 0]]}]}",
	     {"<title>1 by 1: 4</title>", "fill-opacity=\"0.520\"", ">all 0</text>"}},
	    {"{'kind': 'heat', 'panels': [{'label': 'A, p', 'rows': 1, 'columns': 6, 'values': [[1, null, 3, "
	     "4, 5, 6]]},{'label': 'nothing', 'rows': 1, 'columns': 1, 'values': [[0]]}]}",
	     {"<title>warp 5: 6</title>", ">4</text>", ">all 0</text>"}});
}

TEST(room_is_made_for_long_labels_of_columns)
{
	DRAWN(
	    {"{'kind': 'bars', 'x': ['a label that is longer', 2], 'series': [{'label': 'A', 'values': [1, 2]}]}",
	     {"viewBox=\"-", "height=\"410\""}},
	    {"{'kind': 'bars', 'x': ['short', 2], 'series': [{'label': 'A', 'values': [1, 2]}]}",
	     {"viewBox=\"0 0 ", "height=\"374\""}});
}

TEST(a_grid_has_a_small_chart_per_panel_four_in_a_row)
{
	DRAWN(
	    {"{'kind': 'grid', 'title': 'T', 'panels': [{'label': 'first', 'x': ['2', '128'], 'series': [{'values': [5, 6],"
	     "'published': [4, 7]}]}, {'label': 'b', 'x': [], 'series': []}, {}, {},"
	     "{'label': 'fifth', 'x': [1], 'series': [{'values': [-3]}]}]}",
	     {">T</text>", ">first</text>", "published 7", ">128</text>", "translate(0 188)", ">-4</text>"}});
}

TEST(a_scatter_plot_has_equal_axes_and_a_diagonal)
{
	DRAWN(
	    {"{'kind': 'scatter', 'title': 'T', 'x_title': 'GPU', 'series': [{'label': 'a', 'points': [[100, 200], [3e5, 2e5]]},"
	     "{'label': 'b', 'points': [[0, 5], [5, -1], [1000, 1000]]}]}",
	     {">T</text>", ">GPU</text>", ">100</text>", ">1 M</text>", "stroke=\"#888\"",
	      "fill=\"#f28e2b\""}},
	    {"{'kind': 'scatter', 'series': [{'points': [[], 3]}]}", {"<svg"}});
}

TEST(labels_of_many_columns_are_thinned_out)
{
	json_t *xs = json_array(), *values = json_array();
	for (int i = 0; i < 132; i++) {
		json_array_append_new(xs, json_integer(i));
		json_array_append_new(values, json_integer(i % 7));
	}
	json_t *chart = json_pack("{s:s, s:o, s:[{s:s, s:o}]}", "kind", "lines", "x", xs, "series", "label",
	                          "A", "values", values);
	char *svg = chart_svg(chart);
	CHECK(strstr(svg, ">0</text>") && strstr(svg, ">18</text>") && !strstr(svg, ">1</text>"));
	free(svg);
	json_decref(chart);
}

TEST(a_table_is_no_drawing)
{
	json_t *table = json_pack("{s:s}", "kind", "table");
	CHECK(!chart_svg(table));
	json_decref(table);
}

TEST_RUN_ALL(true)
