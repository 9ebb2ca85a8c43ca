/*
 * Charts as SVG: grouped and stacked bars, and lines; time series and matrices
 * are drawn in report_svg_panels.c. Sizes follow the number of columns; colours
 * suit light and dark pages; a published value is a black mark across our bar,
 * or a ring beside our line.
 */
#include "papers/report/report_svg.h"

#include <stdlib.h>
#include <string.h>

#include "base/cache.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "papers/report/report.h"

enum { COLOURS = 10, TICKS = 5, LEGEND_LINE = 16, AXIS_LABELS = 80 };

const char *svg_colour(size_t series)
{
	static const char *const colours[COLOURS] = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1",
	                                             "#76b7b2", "#9c755f", "#edc948", "#ff9da7", "#bab0ac"};
	return colours[series % COLOURS];
}

void report_put_escaped(FILE *out, const char *text)
{
	for (; *text; text++)
		fputs(*text == '<'   ? "&lt;"
		      : *text == '>' ? "&gt;"
		      : *text == '&' ? "&amp;"
		      : *text == '"' ? "&quot;"
		                     : (char[]){*text, '\0'},
		      out);
}

void svg_label(FILE *out, double x, double y, const char *more, const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, more);
	report_put_escaped(out, text);
	fputs("</text>\n", out);
}

/* ---- the frame -------------------------------------------------------------------------------------------- */

struct canvas svg_canvas(char **text, size_t *bytes, double width)
{
	struct canvas c = {
	    .out = memory_stream_open(text, bytes), .width = width, .low = INFINITY, .high = -INFINITY};
	return c;
}

double svg_y(const struct canvas *c, double value)
{
	double share = c->log ? (log(value) - log(c->low)) / (log(c->high) - log(c->low))
	                      : (value - c->low) / (c->high - c->low);
	/* What a logarithm does not know lies at the bottom. */
	share = !(share > 0) ? 0 : share > 1 ? 1 : share;
	return c->bottom - share * SVG_PLOT;
}

void svg_widen(struct canvas *c, double value)
{
	if (!isfinite(value) || (c->log && value <= 0))
		return;
	c->low = fmin(c->low, value);
	c->high = fmax(c->high, value);
}

double svg_step(double span, int ticks)
{
	double raw = span / ticks, unit = pow(10, floor(log10(raw)));
	return unit * (raw / unit > 5 ? 10 : raw / unit > 2 ? 5 : raw / unit > 1 ? 2 : 1);
}

void svg_settle(struct canvas *c)
{
	if (!isfinite(c->low) || !isfinite(c->high)) {
		c->low = c->log ? 1 : 0;
		c->high = c->log ? 10 : 1;
	}
	/* What differs by rounding alone is one value: no step between ticks is that small. */
	if (!(c->high - c->low > 1e-9 * fmax(fabs(c->low), fabs(c->high))))
		c->high = c->low + (c->low != 0 ? fabs(c->low) : 1);
	if (c->log)
		return;
	double step = svg_step(c->high - c->low, TICKS);
	c->high = step * ceil(c->high / step - 1e-9);
	c->low = step * floor(c->low / step + 1e-9);
}

static void draw_tick(const struct canvas *c, double value)
{
	char text[32];
	double y = svg_y(c, value);
	snprintf(text, sizeof text, "%.4g", value);
	fprintf(c->out, "<line x1=\"%d\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" class=\"g\"/>\n", SVG_LEFT,
	        c->width - SVG_RIGHT, y, y);
	svg_label(c->out, SVG_LEFT - 6, y + 4, "text-anchor=\"end\"", text);
}

void svg_ticks(const struct canvas *c)
{
	if (c->log) {
		for (double v = pow(10, floor(log10(c->low))); v <= c->high * 1.001; v *= 10)
			for (int k = 1; k < 10; k += k == 1 ? 1 : k == 2 ? 3 : 5)
				if (v * k >= c->low * 0.999 && v * k <= c->high * 1.001)
					draw_tick(c, v * k);
		return;
	}
	double step = svg_step(c->high - c->low, TICKS);
	for (double v = c->low; v <= c->high + step / 2; v += step)
		draw_tick(c, fabs(v) < step / 1e6 ? 0 : v);
}

/* The classes are short, as a page that holds many drawings shares their names. */
void svg_open(struct canvas *c, double height, const json_t *chart)
{
	char title[512];
	fprintf(
	    c->out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
	    "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"11\" role=\"img\">\n"
	    "<style>.chart{color:#222}.chart text{fill:currentColor}.chart .g{stroke:currentColor;stroke-opacity:.15}"
	    ".chart .a{stroke:currentColor;stroke-opacity:.55}.chart .p{stroke:currentColor;stroke-width:2;fill:none}"
	    "@media(prefers-color-scheme:dark){.chart{color:#e4e4e4}}"
	    "@media print{.chart{color:#000}}</style>\n",
	    c->width, height, c->width, height);
	snprintf(title, sizeof title, "%s%s%s", text_at(chart, "title"), *text_at(chart, "of") ? ": " : "",
	         text_at(chart, "of"));
	svg_label(c->out, SVG_LEFT, 16, "font-size=\"13\" font-weight=\"bold\"", title);
	snprintf(title, sizeof title, "%s%s%s", text_at(chart, "y_title"),
	         *text_at(chart, "unit") && *text_at(chart, "y_title") ? ", " : "", text_at(chart, "unit"));
	if (*title)
		svg_label(c->out, SVG_LEFT, 33, "", title);
	c->top = *title ? 40 : 24;
}

void svg_close(struct canvas *c)
{
	fputs("</svg>\n", c->out);
	memory_stream_close(c->out);
}

double svg_legend(FILE *out, double width, const json_t *series, bool published, double y)
{
	double x = SVG_LEFT;
	size_t count = json_array_size(series), i;
	for (i = 0; i < count + published; i++) {
		const char *text = i < count ? text_at(json_array_get(series, i), "label") : "published";
		double room = 26 + 6.3 * (double)strlen(text);
		if (x > SVG_LEFT && x + room > width - SVG_RIGHT) {
			x = SVG_LEFT;
			y += LEGEND_LINE;
		}
		if (out && i < count)
			fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/>\n",
			        x, y + 3, svg_colour(i));
		else if (out)
			fprintf(out, "<path d=\"M%.1f %.1fh10\" class=\"p\"/>\n", x, y + 8);
		if (out)
			svg_label(out, x + 14, y + 12, "", text);
		x += room;
	}
	return count ? y + LEGEND_LINE : y;
}

static bool any_published(const json_t *series)
{
	const json_t *one;
	size_t i;
	json_array_foreach(series, i, one) if (report_has_published(one)) return true;
	return false;
}

/* ---- bars ------------------------------------------------------------------------------------------------- */

void svg_bar(const struct canvas *c, double x, double width, double from, double to, const char *colour,
             const char *title)
{
	double top = fmin(svg_y(c, from), svg_y(c, to)), bottom = fmax(svg_y(c, from), svg_y(c, to));
	fprintf(c->out,
	        "<rect class=\"m\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>",
	        x, top, width, fmax(bottom - top, 0.5), colour);
	report_put_escaped(c->out, title);
	fputs("</title></rect>\n", c->out);
}

static void draw_published(const struct canvas *c, double x, double width, double value)
{
	if (isfinite(value))
		fprintf(c->out,
		        "<path class=\"p\" d=\"M%.1f %.1fh%.1f\"><title>published %.4g</title></path>\n", x,
		        svg_y(c, value), width, value);
}

/* How wide a bar and a group of bars are. */
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

/* Classes of the workloads, and the means behind them. */
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

static char *draw_bars(const json_t *chart)
{
	const json_t *series = json_object_get(chart, "series");
	size_t columns = json_array_size(json_object_get(chart, "x")), lines = json_array_size(series), bytes;
	struct columns w = {.stack = json_is_true(json_object_get(chart, "stack"))};
	w.bar = w.stack ? 18 : lines > 4 ? 7 : lines > 1 ? 11 : 16;
	w.group = (w.stack ? 1 : (double)lines) * w.bar + 10;
	bool published = any_published(series);
	char *text = NULL;
	struct canvas c =
	    svg_canvas(&text, &bytes, fmax(SVG_LEFT + SVG_RIGHT + w.group * (double)columns + 12, 480));
	c.log = json_is_true(json_object_get(chart, "log"));
	widen_bars(&c, chart, w.stack);
	double legend = svg_legend(NULL, c.width, series, published, 0);
	svg_open(&c, 40 + legend + 18 + SVG_PLOT + AXIS_LABELS, chart);
	c.top = svg_legend(c.out, c.width, series, published, c.top) + 18;
	c.bottom = c.top + SVG_PLOT;
	svg_ticks(&c);
	draw_baseline(&c, chart);
	draw_groups(&c, chart, w.group);
	for (size_t r = 0; r < columns; r++)
		draw_column(&c, chart, &w, r);
	svg_close(&c);
	return text;
}

/* ---- lines ------------------------------------------------------------------------------------------------ */

static double line_x(const struct canvas *c, size_t k, size_t n)
{
	return SVG_LEFT + 6 +
	       (n > 1 ? (double)k / (double)(n - 1) : 0) * (c->width - SVG_LEFT - SVG_RIGHT - 12);
}

static void draw_series(const struct canvas *c, const json_t *one, size_t i, size_t n)
{
	double *x = memory_zeroed(n + 1, sizeof *x);
	for (size_t k = 0; k < n; k++)
		x[k] = (double)k; /* evenly: sizes double */
	svg_draw_line(c, x, json_object_get(one, "values"), n, n > 1 ? (double)n - 1 : 1, svg_colour(i),
	              true);
	for (size_t k = 0; k < n; k++) {
		double value = number_at(json_object_get(one, "published"), k);
		if (isfinite(value))
			fprintf(c->out,
			        "<circle class=\"p\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\" style=\"stroke:%s\">"
			        "<title>published %.4g</title></circle>\n",
			        line_x(c, k, n), svg_y(c, value), svg_colour(i), value);
	}
	free(x);
}

static char *draw_lines(const json_t *chart)
{
	const json_t *series = json_object_get(chart, "series"), *xs = json_object_get(chart, "x"), *one;
	size_t n = json_array_size(xs), i, bytes;
	bool published = any_published(series);
	char *text = NULL, name[64];
	struct canvas c = svg_canvas(&text, &bytes, 600);
	c.log = json_is_true(json_object_get(chart, "log"));
	json_array_foreach(series, i, one) for (size_t k = 0; k < n; k++)
	{
		svg_widen(&c, number_at(json_object_get(one, "values"), k));
		svg_widen(&c, number_at(json_object_get(one, "published"), k));
	}
	svg_settle(&c);
	double legend = svg_legend(NULL, c.width, series, published, 0);
	svg_open(&c, 40 + legend + 10 + SVG_PLOT + 44, chart);
	c.top = svg_legend(c.out, c.width, series, published, c.top) + 10;
	c.bottom = c.top + SVG_PLOT;
	svg_ticks(&c);
	draw_baseline(&c, chart);
	json_array_foreach(series, i, one) draw_series(&c, one, i, n);
	for (size_t k = 0; k < n; k++)
		svg_label(c.out, line_x(&c, k, n), c.bottom + 16, "text-anchor=\"middle\"",
		          x_text(json_array_get(xs, k), name, sizeof name));
	svg_label(c.out, (c.width + SVG_LEFT - SVG_RIGHT) / 2, c.bottom + 34, "text-anchor=\"middle\"",
	          text_at(chart, "x_title"));
	svg_close(&c);
	return text;
}

/* ---- files ------------------------------------------------------------------------------------------------ */

char *reproduction_chart_svg(const json_t *chart)
{
	const char *kind = text_at(chart, "kind");
	if (!strcmp(kind, "table"))
		return NULL;
	if (json_object_get(chart, "panels"))
		return svg_draw_panels(chart);
	return !strcmp(kind, "lines") ? draw_lines(chart) : draw_bars(chart);
}

static bool write_chart(const char *folder, const char *paper, const char *figure, size_t index,
                        const json_t *chart, struct error *err)
{
	char path[PATH_MAX];
	char *text = reproduction_chart_svg(chart);
	if (!text)
		return true;
	int n = snprintf(path, sizeof path, "%s/%s%s%s%s%.0zu.svg", folder, paper, *paper ? "-" : "", figure,
	                 index ? "-" : "", index ? index + 1 : 0);
	bool ok = n < (int)sizeof path ? output_write(path, text, strlen(text), err)
	                               : error_set(err, "%s: the path is too long", folder);
	free(text);
	return ok;
}

bool reproduction_svg(const json_t *report, const char *folder, struct error *err)
{
	const json_t *paper, *figure, *chart;
	char path[PATH_MAX];
	size_t i, k, c;
	snprintf(path, sizeof path, "%s", folder);
	if (!cache_make_folders(path, err))
		return false;
	json_array_foreach(json_object_get(report, "papers"), i,
	                   paper) json_array_foreach(json_object_get(paper, "figures"), k, figure)
	    json_array_foreach(json_object_get(figure, "charts"), c,
	                       chart) if (!write_chart(folder, text_at(paper, "name"), text_at(figure, "id"),
	                                               c, chart, err)) return false;
	return true;
}
