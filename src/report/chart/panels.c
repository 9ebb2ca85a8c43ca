/* Charts of several panels: series over time, matrices of warps, grids of small line charts. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/chart/canvas.h"

/* _BELOW: room for the labels below a plot. */
enum {
	TIME_WIDTH = 760,
	TIME_BELOW = 26,
	TIME_TICKS = 6,
	HEAT_CELL = 6,
	HEAT_BELOW = 34,
	ROW_BAR = 9,
	GRID_COLUMNS = 4,
	GRID_WIDTH = 250,
	GRID_PLOT = 96,
	GRID_ABOVE = 18,
	GRID_BELOW = 34
};

/* ---- time ------------------------------------------------------------------------------------------------- */

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
		svg_count(x, text, sizeof text);
		svg_label(c->out, svg_x(c, x, last), c->bottom + 15, "text-anchor=\"middle\"", text);
	}
}

static void draw_time_panel(struct canvas *c, const json_t *panel)
{
	const json_t *series = json_object_get(panel, "series"), *one;
	double last = last_x(series);
	size_t i;
	c->low = 0;
	c->high = -INFINITY;
	json_array_foreach(series, i, one) svg_widen_series(c, one);
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
		svg_line(c, x, json_object_get(one, "values"), n, last, svg_colour(i), false);
		free(x);
	}
}

/* Panels that show the same series share the legend of the first. */
static bool same_labels(const json_t *a, const json_t *b)
{
	if (json_array_size(a) != json_array_size(b))
		return false;
	for (size_t i = 0; i < json_array_size(a); i++)
		if (strcmp(text_at(json_array_get(a, i), "label"), text_at(json_array_get(b, i), "label")))
			return false;
	return true;
}

/* Draw the panels from y on, or only measure them. Return the y below. */
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
		c->bottom = y + 6 + c->plot;
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

/* A matrix of one row is drawn as bars. */
static void draw_row(struct canvas *c, const json_t *panel, double top)
{
	const json_t *row = json_array_get(json_object_get(panel, "values"), 0);
	char text[64];
	c->low = 0;
	c->high = -INFINITY;
	c->bottom = top + c->plot;
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
		y += (rows == 1 ? c->plot : (double)rows * HEAT_CELL) + HEAT_BELOW;
	}
	return y;
}

/* ---- grids ------------------------------------------------------------------------------------------------ */

/* Every panel is a small chart of lines whose axis includes 0. */
static char *draw_grid(const json_t *chart)
{
	const json_t *panels = json_object_get(chart, "panels"), *panel;
	size_t count = json_array_size(panels), bytes, i;
	const double step = GRID_ABOVE + GRID_PLOT + GRID_BELOW;
	char *text = NULL;
	struct canvas c = svg_canvas(&text, &bytes, GRID_COLUMNS * GRID_WIDTH);
	svg_open(&c, 40 + step * (double)((count + GRID_COLUMNS - 1) / GRID_COLUMNS), chart);
	c.width = GRID_WIDTH;
	c.plot = GRID_PLOT;
	json_array_foreach(panels, i, panel)
	{
		fprintf(c.out, "<g transform=\"translate(%zu %.0f)\">\n", i % GRID_COLUMNS * GRID_WIDTH,
		        40 + step * (double)(i / GRID_COLUMNS));
		svg_label(c.out, SVG_LEFT, GRID_ABOVE - 6, "", text_at(panel, "label"));
		c.bottom = GRID_ABOVE + GRID_PLOT;
		c.low = c.high = 0;
		svg_plot_lines(&c, panel);
		fputs("</g>\n", c.out);
	}
	svg_close(&c);
	return text;
}

static char *draw_matrices(const json_t *chart)
{
	const json_t *panels = json_object_get(chart, "panels");
	char *text = NULL;
	size_t bytes;
	struct canvas c = svg_canvas(&text, &bytes, 480);
	double height = heat_panels(&c, panels, 40, false);
	svg_open(&c, height, chart);
	heat_panels(&c, panels, c.top, true);
	svg_close(&c);
	return text;
}

char *svg_draw_panels(const json_t *chart)
{
	const char *kind = text_at(chart, "kind");
	return !strcmp(kind, "heat")   ? draw_matrices(chart)
	       : !strcmp(kind, "grid") ? draw_grid(chart)
	                               : draw_time(chart);
}
