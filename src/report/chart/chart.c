/*
 * Bars, stacked bars and lines; panels.c draws the rest. Sizes follow the number of columns. A published value is a
 * black mark across the bar, or a ring next to the line.
 */
#include "report/chart/chart.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/chart/canvas.h"

enum { BARS_LEAST = 480, LINES_WIDTH = 600, AXIS_LABELS = 80, POINT_ROOM = 9 };

static bool any_published(const json_t *series)
{
	const json_t *one;
	size_t i;
	json_array_foreach(series, i, one) if (has_published(one)) return true;
	return false;
}

/* ---- bars ------------------------------------------------------------------------------------------------- */

static void draw_published(const struct canvas *c, double x, double width, double value)
{
	if (isfinite(value))
		fprintf(c->out,
		        "<path class=\"p\" d=\"M%.1f %.1fh%.1f\"><title>published %.4g</title></path>\n", x,
		        svg_y(c, value), width, value);
}

/* Widths of a bar and of a group of bars. */
struct columns {
	double bar, group;
	bool stack;
};

static void draw_column(const struct canvas *c, const json_t *chart, const struct columns *w, size_t r)
{
	const json_t *one;
	double at = SVG_LEFT + 6 + (double)r * w->group, sum = 0, base = c->log ? c->low : fmax(c->low, 0);
	char text[128], title[320];
	size_t i;
	x_text(json_array_get(json_object_get(chart, "x"), r), text, sizeof text);
	json_array_foreach(json_object_get(chart, "series"), i, one)
	{
		double value = number_at(json_object_get(one, "values"), r);
		double left = w->stack ? at : at + (double)i * w->bar;
		if (isfinite(value)) {
			snprintf(title, sizeof title, "%s, %s: %.4g", text, text_at(one, "label"), value);
			svg_bar(c, left, w->bar - 1, w->stack ? sum : base, w->stack ? sum + value : value,
			        svg_colour(i), title);
			sum += value;
		}
		svg_whisker(c, left + (w->bar - 1) / 2, one, r);
		draw_published(c, left, w->bar - 1, number_at(json_object_get(one, "published"), r));
	}
	double middle = at + (w->group - 10) / 2 + 3;
	snprintf(title, sizeof title, "text-anchor=\"end\" transform=\"rotate(-40 %.1f %.1f)\"", middle,
	         c->bottom + 13);
	svg_label(c->out, middle, c->bottom + 13, title, text);
}

static void draw_separator(const struct canvas *c, double x, const char *dashes)
{
	fprintf(
	    c->out,
	    "<line class=\"a\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke-dasharray=\"%s\"/>\n",
	    x, x, c->top, c->bottom, dashes);
}

/* Name the classes of workloads, and separate the means. */
static void draw_groups(const struct canvas *c, const json_t *chart, double group)
{
	const json_t *groups = json_object_get(chart, "groups"), *one,
	             *means = json_object_get(chart, "means_from");
	size_t i;
	json_array_foreach(groups, i, one)
	{
		double from = (double)json_integer_value(json_object_get(one, "from")),
		       count = (double)json_integer_value(json_object_get(one, "count"));
		if (json_array_size(groups) < 2)
			break;
		if (i)
			draw_separator(c, SVG_LEFT + 1 + from * group, "1 3");
		svg_label(c->out, SVG_LEFT + 1 + (from + count / 2) * group, c->top - 3,
		          "text-anchor=\"middle\" font-style=\"italic\"", text_at(one, "label"));
	}
	if (!json_is_integer(means))
		return;
	double x = SVG_LEFT + 1 + (double)json_integer_value(means) * group;
	draw_separator(c, x, "4 3");
	svg_label(c->out, x + 4, c->top - 3, "font-style=\"italic\"", text_at(chart, "mean"));
}

static void widen_bars(struct canvas *c, const json_t *chart, bool stack)
{
	const json_t *series = json_object_get(chart, "series"), *one;
	size_t columns = json_array_size(json_object_get(chart, "x")), i;
	if (!c->log)
		svg_widen(c, 0);
	for (size_t r = 0; r < columns; r++) {
		double sum = 0;
		json_array_foreach(series, i, one)
		{
			double value = number_at(json_object_get(one, "values"), r);
			sum += isfinite(value) ? value : 0;
			svg_widen(c, stack ? sum : value);
			svg_widen(c, number_at(json_object_get(one, "published"), r));
			svg_widen(c, number_at(json_object_get(one, "least"), r));
			svg_widen(c, number_at(json_object_get(one, "most"), r));
		}
	}
	svg_settle(c);
}

static void draw_baseline(const struct canvas *c, const json_t *chart)
{
	const json_t *baseline = json_object_get(chart, "baseline");
	if (!json_is_number(baseline))
		return;
	double y = svg_y(c, json_number_value(baseline));
	fprintf(c->out, "<line class=\"a\" x1=\"%d\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", SVG_LEFT,
	        c->width - SVG_RIGHT, y, y);
}

/* Slanted labels may need room left of the drawing, and more than AXIS_LABELS below the axis, which is returned. */
static double make_label_room(struct canvas *c, const json_t *xs, double group)
{
	double below = AXIS_LABELS;
	char text[128];
	for (size_t r = 0; r < json_array_size(xs); r++) {
		double length = (double)strlen(x_text(json_array_get(xs, r), text, sizeof text));
		c->before = fmax(c->before, 5 * length - (SVG_LEFT + 6 + ((double)r + 0.5) * group));
		below = fmax(below, 4.2 * length + 24);
	}
	return below;
}

static char *draw_bars(const json_t *chart)
{
	const json_t *series = json_object_get(chart, "series");
	size_t columns = json_array_size(json_object_get(chart, "x")), lines = json_array_size(series), bytes;
	struct columns w = {.stack = json_is_true(json_object_get(chart, "stack"))};
	w.bar = w.stack ? 18 : lines > 4 ? 7 : lines > 1 ? 11 : 16;
	double bars = (w.stack ? 1 : (double)lines) * (double)(columns ? columns : 1);
	double wanted = svg_wanted_width(chart),
	       room = (wanted > 0 ? wanted : BARS_LEAST) - SVG_LEFT - SVG_RIGHT - 12;
	double gap = wanted > 0 && room < 16 * (double)columns ? 3 : 10;
	/* Bars fill the least width, or the one that is asked for. */
	double fill = (room - gap * (double)columns) / (bars > 0 ? bars : 1);
	if (wanted > 0 || fill > w.bar)
		w.bar = fmax(2, fmin(fill, 48));
	w.group = (w.stack ? 1 : (double)lines) * w.bar + gap;
	bool published = any_published(series);
	char *text = NULL;
	struct canvas c = svg_canvas(
	    &text, &bytes,
	    fmax(SVG_LEFT + SVG_RIGHT + w.group * (double)columns + 12, wanted > 0 ? wanted : BARS_LEAST));
	c.log = json_is_true(json_object_get(chart, "log"));
	double below = make_label_room(&c, json_object_get(chart, "x"), w.group);
	widen_bars(&c, chart, w.stack);
	double legend = svg_legend(NULL, c.width, series, published, 0);
	svg_open(&c, 40 + legend + 18 + c.plot + below, chart);
	c.top = svg_legend(c.out, c.width, series, published, c.top) + 18;
	c.bottom = c.top + c.plot;
	svg_ticks(&c);
	draw_baseline(&c, chart);
	draw_groups(&c, chart, w.group);
	for (size_t r = 0; r < columns; r++)
		draw_column(&c, chart, &w, r);
	svg_close(&c);
	return text;
}

/* ---- lines ------------------------------------------------------------------------------------------------ */

/* Columns are evenly spaced: sizes double. Rings are small where points are close; a series alone has them in another color. */
static void draw_series(const struct canvas *c, const json_t *series, size_t i, size_t n)
{
	const json_t *one = json_array_get(series, i), *published = json_object_get(one, "published");
	double last = n > 1 ? (double)n - 1 : 1, *x = memory_zeroed(n + 1, sizeof *x);
	bool close = svg_x(c, 1, last) - svg_x(c, 0, last) < POINT_ROOM;
	for (size_t k = 0; k < n; k++)
		x[k] = (double)k;
	svg_line(c, x, json_object_get(one, "values"), n, last, svg_colour(i), !close);
	for (size_t k = 0; k < n; k++)
		svg_whisker(c, svg_x(c, x[k], last), one, k);
	for (size_t k = 0; k < n; k++)
		if (isfinite(number_at(published, k)))
			fprintf(c->out,
			        "<circle class=\"p\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" style=\"stroke:%s\">"
			        "<title>published %.4g</title></circle>\n",
			        svg_x(c, x[k], last), svg_y(c, number_at(published, k)), close ? "1" : "4",
			        svg_colour(json_array_size(series) > 1 ? i : 1), number_at(published, k));
	free(x);
}

/* Every label if they fit; else every second, third and so on. */
static void label_columns(const struct canvas *c, const json_t *xs, double last)
{
	size_t n = json_array_size(xs), longest = 1, every;
	char name[64];
	for (size_t k = 0; k < n; k++) {
		size_t length = strlen(x_text(json_array_get(xs, k), name, sizeof name));
		longest = length > longest ? length : longest;
	}
	every = (size_t)(((double)longest * 6.3 + 4) * last / (svg_x(c, 1, 1) - svg_x(c, 0, 1))) + 1;
	for (size_t k = 0; k < n; k += every)
		svg_label(c->out, svg_x(c, (double)k, last), c->bottom + 16, "text-anchor=\"middle\"",
		          x_text(json_array_get(xs, k), name, sizeof name));
}

void svg_plot_lines(struct canvas *c, const json_t *chart)
{
	const json_t *series = json_object_get(chart, "series"), *xs = json_object_get(chart, "x"), *one;
	size_t n = json_array_size(xs), i;
	double last = n > 1 ? (double)n - 1 : 1;
	json_array_foreach(series, i, one) svg_widen_series(c, one);
	svg_settle(c);
	svg_ticks(c);
	draw_baseline(c, chart);
	for (i = 0; i < json_array_size(series); i++)
		draw_series(c, series, i, n);
	label_columns(c, xs, last);
}

static char *draw_lines(const json_t *chart)
{
	const json_t *series = json_object_get(chart, "series");
	bool published = any_published(series);
	size_t bytes;
	char *text = NULL;
	double wanted = svg_wanted_width(chart);
	struct canvas c = svg_canvas(&text, &bytes, wanted > 0 ? wanted : LINES_WIDTH);
	c.log = json_is_true(json_object_get(chart, "log"));
	double legend = svg_legend(NULL, c.width, series, published, 0);
	svg_open(&c, 40 + legend + 10 + c.plot + 44, chart);
	c.top = svg_legend(c.out, c.width, series, published, c.top) + 10;
	c.bottom = c.top + c.plot;
	svg_plot_lines(&c, chart);
	svg_label(c.out, (c.width + SVG_LEFT - SVG_RIGHT) / 2, c.bottom + 34, "text-anchor=\"middle\"",
	          text_at(chart, "x_title"));
	svg_close(&c);
	return text;
}

char *chart_svg(const json_t *chart)
{
	const char *kind = text_at(chart, "kind");
	if (!strcmp(kind, "table"))
		return NULL;
	if (json_object_get(chart, "panels"))
		return svg_draw_panels(chart);
	if (!strcmp(kind, "scatter"))
		return svg_draw_scatter(chart);
	return !strcmp(kind, "lines") ? draw_lines(chart) : draw_bars(chart);
}
