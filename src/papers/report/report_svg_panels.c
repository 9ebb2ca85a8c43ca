/* Charts of several panels: series over time, and matrices of warps. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/report/report_svg.h"

/* Panels share the width; a panel is a plot with its title and legend above and ticks below. */
enum { TIME_WIDTH = 760, TIME_BELOW = 26, TIME_TICKS = 6, HEAT_CELL = 6, HEAT_BELOW = 34, ROW_BAR = 9 };

static double line_x(const struct canvas *c, double x, double x_high)
{
	return SVG_LEFT + 6 + x / x_high * (c->width - SVG_LEFT - SVG_RIGHT - 12);
}

void svg_draw_line(const struct canvas *c, const double *x, const json_t *values, size_t n, double x_high,
                   const char *colour, bool dots)
{
	bool open = false;
	for (size_t i = 0; i < n; i++) {
		double value = number_at(values, i);
		if (!isfinite(value) || (c->log && value <= 0)) {
			fputs(open ? "\"/>\n" : "", c->out);
			open = false;
			continue;
		}
		if (!open)
			fprintf(
			    c->out,
			    "<polyline class=\"m\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
			    colour);
		open = true;
		fprintf(c->out, "%.1f,%.1f ", line_x(c, x[i], x_high), svg_y(c, value));
	}
	fputs(open ? "\"/>\n" : "", c->out);
	for (size_t i = 0; dots && i < n; i++)
		if (isfinite(number_at(values, i)))
			fprintf(c->out,
			        "<circle class=\"m\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" "
			        "fill=\"%s\"><title>%.4g</title></circle>\n",
			        line_x(c, x[i], x_high), svg_y(c, number_at(values, i)), colour,
			        number_at(values, i));
}

/* ---- time ------------------------------------------------------------------------------------------------- */

/* "12 M", for axes of instructions and cycles. */
static void count_text(double value, char *text, size_t size)
{
	if (value >= 1e6)
		snprintf(text, size, "%g M", value / 1e6);
	else if (value >= 1e3)
		snprintf(text, size, "%g K", value / 1e3);
	else
		snprintf(text, size, "%g", value);
}

static double last_x(const json_t *series)
{
	const json_t *one;
	double last = 0;
	size_t i;
	json_array_foreach(series, i, one)
	{
		const json_t *xs = json_object_get(one, "x");
		last = json_array_size(xs) ? fmax(last, number_at(xs, json_array_size(xs) - 1)) : last;
	}
	return last > 0 ? last : 1;
}

static void time_ticks(const struct canvas *c, double last)
{
	char text[32];
	double step = svg_step(last, TIME_TICKS);
	for (double x = 0; x <= last * 1.0001; x += step) {
		count_text(x, text, sizeof text);
		svg_label(c->out, line_x(c, x, last), c->bottom + 15, "text-anchor=\"middle\"", text);
	}
}

static void draw_time_panel(struct canvas *c, const json_t *panel)
{
	const json_t *series = json_object_get(panel, "series"), *one;
	double last = last_x(series);
	size_t i;
	c->low = 0;
	c->high = -INFINITY;
	json_array_foreach(series, i, one)
	{
		const json_t *values = json_object_get(one, "values");
		for (size_t k = 0; k < json_array_size(values); k++)
			svg_widen(c, number_at(values, k));
	}
	svg_settle(c);
	svg_ticks(c);
	time_ticks(c, last);
	json_array_foreach(series, i, one)
	{
		const json_t *xs = json_object_get(one, "x");
		size_t n = json_array_size(xs);
		double *x = memory_zeroed(n + 1, sizeof *x);
		for (size_t k = 0; k < n; k++)
			x[k] = number_at(xs, k);
		svg_draw_line(c, x, json_object_get(one, "values"), n, last, svg_colour(i), false);
		free(x);
	}
}

/* Panels mostly show the same series: the legend stands above the first alone then. */
static bool same_labels(const json_t *a, const json_t *b)
{
	if (json_array_size(a) != json_array_size(b))
		return false;
	for (size_t i = 0; i < json_array_size(a); i++)
		if (strcmp(text_at(json_array_get(a, i), "label"), text_at(json_array_get(b, i), "label")))
			return false;
	return true;
}

/* Draws the panels from y on, or measures them. Returns the y behind them. */
static double time_panels(struct canvas *c, const json_t *panels, double y, bool draw)
{
	const json_t *panel, *before = NULL;
	size_t i;
	json_array_foreach(panels, i, panel)
	{
		const json_t *series = json_object_get(panel, "series");
		if (!before || !same_labels(before, series))
			y = svg_legend(draw ? c->out : NULL, c->width, series, false, y) + 6;
		before = series;
		y += 14;
		if (draw)
			svg_label(c->out, SVG_LEFT, y - 2, "font-weight=\"bold\"", text_at(panel, "y_title"));
		c->bottom = y + 6 + SVG_PLOT;
		if (draw)
			draw_time_panel(c, panel);
		y = c->bottom + TIME_BELOW;
	}
	return y;
}

static char *draw_time(const json_t *chart)
{
	const json_t *panels = json_object_get(chart, "panels");
	char *text = NULL;
	size_t bytes;
	struct canvas c = svg_canvas(&text, &bytes, TIME_WIDTH);
	double height = time_panels(&c, panels, 24, false) + 18;
	svg_open(&c, height, chart);
	double y = time_panels(&c, panels, c.top, true);
	svg_label(c.out, c.width - SVG_RIGHT - 6, y + 6, "text-anchor=\"end\"", text_at(chart, "x_title"));
	svg_close(&c);
	return text;
}

/* ---- matrices --------------------------------------------------------------------------------------------- */

static void heat_ticks(FILE *out, double top, size_t rows, size_t columns)
{
	char text[24];
	for (size_t k = 0; k < columns; k += 8) {
		snprintf(text, sizeof text, "%zu", k);
		svg_label(out, SVG_LEFT + ((double)k + 0.5) * HEAT_CELL, top + (double)rows * HEAT_CELL + 12,
		          "text-anchor=\"middle\"", text);
	}
	for (size_t r = 0; r < rows; r += 8) {
		snprintf(text, sizeof text, "%zu", r);
		svg_label(out, SVG_LEFT - 5, top + ((double)r + 0.5) * HEAT_CELL + 4, "text-anchor=\"end\"",
		          text);
	}
}

static double most_of(const json_t *rows)
{
	const json_t *row, *cell;
	double most = 0;
	size_t r, k;
	json_array_foreach(rows, r, row) json_array_foreach(row, k, cell) most =
	    fmax(most, json_is_number(cell) ? json_number_value(cell) : 0);
	return most;
}

static void draw_heat(const struct canvas *c, const json_t *panel, double top)
{
	const json_t *rows = json_object_get(panel, "values"), *row;
	double most = most_of(rows);
	size_t r, columns = (size_t)json_integer_value(json_object_get(panel, "columns"));
	fprintf(c->out,
	        "<rect x=\"%d\" y=\"%.0f\" width=\"%zu\" height=\"%zu\" fill=\"none\" class=\"g\"/>\n",
	        SVG_LEFT, top, columns * HEAT_CELL, json_array_size(rows) * HEAT_CELL);
	json_array_foreach(rows, r, row) for (size_t k = 0; k < columns; k++)
	{
		double value = number_at(row, k);
		if (value > 0)
			fprintf(c->out,
			        "<rect class=\"m\" x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" "
			        "fill=\"#e15759\" fill-opacity=\"%.3f\"><title>%zu by %zu: "
			        "%.6g</title></rect>\n",
			        SVG_LEFT + (double)k * HEAT_CELL, top + (double)r * HEAT_CELL, HEAT_CELL,
			        HEAT_CELL, 0.04 + 0.96 * value / most, r, k, value);
	}
	if (!(most > 0))
		svg_label(c->out, SVG_LEFT + 6, top + 16, "class=\"m\"", "all 0");
	heat_ticks(c->out, top, json_array_size(rows), columns);
}

/* One row of a matrix is bars. */
static void draw_row(struct canvas *c, const json_t *panel, double top)
{
	const json_t *row = json_array_get(json_object_get(panel, "values"), 0);
	char text[64];
	c->low = 0;
	c->high = -INFINITY;
	c->bottom = top + SVG_PLOT;
	for (size_t k = 0; k < json_array_size(row); k++)
		svg_widen(c, number_at(row, k));
	if (!(c->high > 0))
		svg_label(c->out, SVG_LEFT + 6, top + 16, "class=\"m\"", "all 0");
	svg_settle(c);
	svg_ticks(c);
	for (size_t k = 0; k < json_array_size(row); k++) {
		double x = SVG_LEFT + 6 + (double)k * (ROW_BAR + 3);
		snprintf(text, sizeof text, "warp %zu: %.6g", k, number_at(row, k));
		if (isfinite(number_at(row, k)))
			svg_bar(c, x, ROW_BAR, 0, number_at(row, k), svg_colour(0), text);
		snprintf(text, sizeof text, "%zu", k);
		if (k % 4 == 0)
			svg_label(c->out, x + ROW_BAR / 2.0, c->bottom + 13, "text-anchor=\"middle\"", text);
	}
}

static double heat_panels(struct canvas *c, const json_t *panels, double y, bool draw)
{
	const json_t *panel;
	size_t i;
	json_array_foreach(panels, i, panel)
	{
		size_t rows = (size_t)json_integer_value(json_object_get(panel, "rows")),
		       columns = (size_t)json_integer_value(json_object_get(panel, "columns"));
		char text[256];
		if (rows == 1)
			snprintf(text, sizeof text, "%s", text_at(panel, "label"));
		else
			snprintf(text, sizeof text, "%s: %s down, %s across", text_at(panel, "label"),
			         text_at(panel, "y_title"), text_at(panel, "x_title"));
		double wide = rows == 1 ? (double)columns * (ROW_BAR + 3) : (double)columns * HEAT_CELL;
		if (!draw)
			c->width = fmax(c->width, SVG_LEFT + wide + SVG_RIGHT + 12);
		if (draw)
			svg_label(c->out, SVG_LEFT, y + 10, "", text);
		y += 18;
		if (draw && rows == 1)
			draw_row(c, panel, y);
		else if (draw)
			draw_heat(c, panel, y);
		y += (rows == 1 ? (double)SVG_PLOT : (double)rows * HEAT_CELL) + HEAT_BELOW;
	}
	return y;
}

char *svg_draw_panels(const json_t *chart)
{
	const json_t *panels = json_object_get(chart, "panels");
	char *text = NULL;
	size_t bytes;
	if (strcmp(text_at(chart, "kind"), "heat"))
		return draw_time(chart);
	struct canvas c = svg_canvas(&text, &bytes, 480);
	double height = heat_panels(&c, panels, 40, false);
	svg_open(&c, height, chart);
	heat_panels(&c, panels, c.top, true);
	svg_close(&c);
	return text;
}
