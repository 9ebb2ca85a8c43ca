/*
 * Charts as SVG: grouped and stacked bars, lines, time series, matrices. Sizes
 * follow the number of columns; colours suit light and dark pages; published
 * values are outlined marks beside ours.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "lab/report/output.h"
#include "lab/reproduce/report.h"
#include "trace/cache.h"

enum { LEFT = 64, RIGHT = 16, TOP = 56, PLOT = 220, COLOURS = 8, TICKS = 5, HEAT_CELL = 5 };
static const char *const colours[COLOURS] = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759",
                                             "#b07aa1", "#76b7b2", "#9c755f", "#bab0ac"};

struct canvas {
	FILE *out;
	double width, bottom; /* bottom: y of the axis */
	double low, high;     /* of values */
	bool log;
};

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static double number_at(const json_t *array, size_t i)
{
	const json_t *number = json_array_get(array, i);
	return json_is_number(number) ? json_number_value(number) : NAN;
}

static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputs(*text == '<'   ? "&lt;"
		      : *text == '&' ? "&amp;"
		      : *text == '"' ? "&quot;"
		                     : (char[]){*text, '\0'},
		      out);
}

static void label(FILE *out, double x, double y, const char *more, const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, more);
	put_text(out, text);
	fputs("</text>\n", out);
}

/* ---- the frame -------------------------------------------------------------------------------------------- */

static double y_of(const struct canvas *c, double value)
{
	double share = c->log ? (log(value) - log(c->low)) / (log(c->high) - log(c->low))
	                      : (value - c->low) / (c->high - c->low);
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	return c->bottom - share * PLOT;
}

static void widen(struct canvas *c, double value)
{
	if (!isfinite(value) || (c->log && value <= 0))
		return;
	c->low = fmin(c->low, value);
	c->high = fmax(c->high, value);
}

/* A round step for so many ticks. */
static double step_of(double span)
{
	double raw = span / TICKS, unit = pow(10, floor(log10(raw)));
	return unit * (raw / unit > 5 ? 10 : raw / unit > 2 ? 5 : raw / unit > 1 ? 2 : 1);
}

static void settle(struct canvas *c)
{
	if (!(c->high > c->low))
		c->high = c->low + 1;
	if (c->log)
		return;
	double step = step_of(c->high - c->low);
	c->high = step * ceil(c->high / step - 1e-9);
	c->low = step * floor(c->low / step + 1e-9);
}

static void draw_tick(const struct canvas *c, double value)
{
	char text[32];
	double y = y_of(c, value);
	snprintf(text, sizeof text, "%.4g", value);
	fprintf(c->out, "<line x1=\"%d\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n", LEFT,
	        c->width - RIGHT, y, y);
	label(c->out, LEFT - 6, y + 4, "text-anchor=\"end\"", text);
}

static void draw_ticks(const struct canvas *c)
{
	if (c->log) {
		for (double v = pow(10, floor(log10(c->low))); v <= c->high * 1.001; v *= 10)
			for (int k = 1; k < 10; k += k == 1 ? 1 : k == 2 ? 3 : 5)
				if (v * k >= c->low * 0.999 && v * k <= c->high * 1.001)
					draw_tick(c, v * k);
		return;
	}
	double step = step_of(c->high - c->low);
	for (double v = c->low; v <= c->high + step / 2; v += step)
		draw_tick(c, fabs(v) < step / 1e6 ? 0 : v);
}

static void open_svg(const struct canvas *c, double height, const json_t *chart)
{
	fprintf(
	    c->out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
	    "font-family=\"sans-serif\" font-size=\"11\">\n"
	    "<style>text{fill:#333}.grid{stroke:#8884;stroke-width:1}.axis{stroke:#888}"
	    "@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>\n",
	    c->width, height, c->width, height);
	char title[512];
	snprintf(title, sizeof title, "%s%s%s", text_at(chart, "title"), *text_at(chart, "of") ? ": " : "",
	         text_at(chart, "of"));
	label(c->out, LEFT, 16, "font-size=\"13\" font-weight=\"bold\"", title);
	snprintf(title, sizeof title, "%s%s%s", text_at(chart, "y_title"),
	         *text_at(chart, "unit") ? ", " : "", text_at(chart, "unit"));
	label(c->out, LEFT, 32, "", title);
}

static void draw_legend(const struct canvas *c, const json_t *series, double y)
{
	double x = LEFT;
	size_t i;
	const json_t *one;
	json_array_foreach(series, i, one)
	{
		fprintf(c->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x,
		        y - 9, colours[i % COLOURS]);
		label(c->out, x + 14, y, "", text_at(one, "label"));
		x += 28 + 6.5 * (double)strlen(text_at(one, "label"));
	}
}

static void x_text(const json_t *x, char *text, size_t size)
{
	if (json_is_number(x))
		snprintf(text, size, "%g", json_number_value(x));
	else
		snprintf(text, size, "%s", json_string_value(x) ? json_string_value(x) : "");
}

/* ---- bars ------------------------------------------------------------------------------------------------- */

static void draw_bar(const struct canvas *c, double x, double width, double from, double to,
                     const char *colour, const char *title)
{
	double top = fmin(y_of(c, from), y_of(c, to)), bottom = fmax(y_of(c, from), y_of(c, to));
	fprintf(c->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>", x,
	        top, width, bottom - top, colour);
	put_text(c->out, title);
	fputs("</title></rect>\n", c->out);
}

static void draw_published(const struct canvas *c, double x, double width, double value)
{
	if (isfinite(value))
		fprintf(c->out,
		        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\" "
		        "stroke-width=\"2\"><title>published %.4g</title></line>\n",
		        x - 1, x + width + 1, y_of(c, value), y_of(c, value), value);
}

static void draw_columns(const struct canvas *c, const json_t *chart, double group, double bar, bool stack)
{
	const json_t *series = json_object_get(chart, "series"), *x = json_object_get(chart, "x"), *one;
	size_t i;
	for (size_t r = 0; r < json_array_size(x); r++) {
		double at = LEFT + 6 + (double)r * group, sum = 0, base = c->log ? c->low : fmax(c->low, 0);
		char text[128], title[256];
		x_text(json_array_get(x, r), text, sizeof text);
		json_array_foreach(series, i, one)
		{
			double value = number_at(json_object_get(one, "values"), r);
			double left = stack ? at : at + (double)i * bar;
			if (isfinite(value)) {
				snprintf(title, sizeof title, "%s, %s: %.4g", text, text_at(one, "label"),
				         value);
				draw_bar(c, left, bar - 1, stack ? sum : base, stack ? sum + value : value,
				         colours[i % COLOURS], title);
				sum += value;
			}
			draw_published(c, left, bar - 1, number_at(json_object_get(one, "published"), r));
		}
		snprintf(title, sizeof title, "text-anchor=\"end\" transform=\"rotate(-40 %.1f %.1f)\"",
		         at + group / 2 - 4, c->bottom + 14);
		label(c->out, at + group / 2 - 4, c->bottom + 14, title, text);
	}
}

static void draw_means_line(const struct canvas *c, const json_t *chart, double group)
{
	const json_t *from = json_object_get(chart, "means_from");
	if (!json_is_integer(from))
		return;
	double x = LEFT + 3 + (double)json_integer_value(from) * group;
	fprintf(
	    c->out,
	    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\" class=\"axis\" stroke-dasharray=\"3 3\"/>\n",
	    x, x, TOP, c->bottom);
}

static char *draw_bars(const json_t *chart, bool stack)
{
	const json_t *series = json_object_get(chart, "series"), *one;
	size_t columns = json_array_size(json_object_get(chart, "x")), lines = json_array_size(series), i,
	       bytes;
	double bar = stack ? 18 : lines > 4 ? 6 : 10, group = (stack ? 1 : (double)lines) * bar + 10;
	char *text = NULL;
	struct canvas c = {.out = open_memstream(&text, &bytes),
	                   .width = LEFT + RIGHT + group * (double)columns + 12,
	                   .bottom = TOP + PLOT,
	                   .log = json_is_true(json_object_get(chart, "log"))};
	if (!c.out)
		BUG("no memory for a drawing");
	c.low = c.log ? INFINITY : 0;
	c.high = c.log ? 0 : -INFINITY;
	for (size_t r = 0; r < columns; r++) {
		double sum = 0;
		json_array_foreach(series, i, one)
		{
			double value = number_at(json_object_get(one, "values"), r);
			sum += isfinite(value) ? value : 0;
			widen(&c, stack ? sum : value);
			widen(&c, number_at(json_object_get(one, "published"), r));
		}
	}
	settle(&c);
	c.width = fmax(c.width, 480);
	open_svg(&c, TOP + PLOT + 84, chart);
	draw_legend(&c, series, 48);
	draw_ticks(&c);
	draw_columns(&c, chart, group, bar, stack);
	draw_means_line(&c, chart, group);
	fputs("</svg>\n", c.out);
	fclose(c.out);
	return text;
}

/* ---- lines ------------------------------------------------------------------------------------------------ */

static void draw_line(const struct canvas *c, const double *x, const json_t *values, size_t n, double x_low,
                      double x_high, const char *colour, bool dots)
{
	double span = x_high > x_low ? x_high - x_low : 1, room = c->width - LEFT - RIGHT - 12;
	bool open = false;
	for (size_t i = 0; i < n; i++) {
		double value = number_at(values, i);
		if (!isfinite(value)) {
			fputs(open ? "\"/>\n" : "", c->out);
			open = false;
			continue;
		}
		if (!open)
			fprintf(c->out,
			        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
			        colour);
		open = true;
		fprintf(c->out, "%.1f,%.1f ", LEFT + 6 + (x[i] - x_low) / span * room, y_of(c, value));
	}
	fputs(open ? "\"/>\n" : "", c->out);
	for (size_t i = 0; dots && i < n; i++)
		if (isfinite(number_at(values, i)))
			fprintf(c->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n",
			        LEFT + 6 + (x[i] - x_low) / span * room, y_of(c, number_at(values, i)),
			        colour);
}

static char *draw_lines(const json_t *chart)
{
	const json_t *series = json_object_get(chart, "series"), *xs = json_object_get(chart, "x"), *one;
	size_t n = json_array_size(xs), i, bytes;
	char *text = NULL, name[64];
	struct canvas c = {.out = open_memstream(&text, &bytes),
	                   .width = 560,
	                   .bottom = TOP + PLOT,
	                   .low = INFINITY,
	                   .high = -INFINITY,
	                   .log = json_is_true(json_object_get(chart, "log"))};
	if (!c.out)
		BUG("no memory for a drawing");
	double *x = memory_zeroed(n + 1, sizeof *x);
	for (size_t k = 0; k < n; k++)
		x[k] = (double)k; /* evenly: sizes double */
	json_array_foreach(series, i, one) for (size_t k = 0; k < n; k++)
	{
		widen(&c, number_at(json_object_get(one, "values"), k));
		widen(&c, number_at(json_object_get(one, "published"), k));
	}
	if (!isfinite(c.low))
		c.low = 0;
	settle(&c);
	open_svg(&c, TOP + PLOT + 48, chart);
	draw_legend(&c, series, 48);
	draw_ticks(&c);
	json_array_foreach(series, i, one)
	    draw_line(&c, x, json_object_get(one, "values"), n, 0, (double)n - 1, colours[i % COLOURS], true);
	for (size_t k = 0; k < n; k++) {
		x_text(json_array_get(xs, k), name, sizeof name);
		label(c.out, LEFT + 6 + (n > 1 ? x[k] / (double)(n - 1) : 0) * (c.width - LEFT - RIGHT - 12),
		      c.bottom + 16, "text-anchor=\"middle\"", name);
	}
	label(c.out, c.width / 2, c.bottom + 34, "text-anchor=\"middle\"", text_at(chart, "x_title"));
	fputs("</svg>\n", c.out);
	fclose(c.out);
	free(x);
	return text;
}

/* ---- panels ----------------------------------------------------------------------------------------------- */

static void draw_time_panel(struct canvas *c, const json_t *panel)
{
	const json_t *series = json_object_get(panel, "series"), *one;
	double last = 0;
	size_t i;
	c->low = 0;
	c->high = -INFINITY;
	json_array_foreach(series, i, one)
	{
		const json_t *values = json_object_get(one, "values"), *xs = json_object_get(one, "x");
		for (size_t k = 0; k < json_array_size(values); k++)
			widen(c, number_at(values, k));
		last = fmax(last, json_array_size(xs) ? number_at(xs, json_array_size(xs) - 1) : 0);
	}
	settle(c);
	draw_ticks(c);
	label(c->out, LEFT, c->bottom - PLOT - 22, "", text_at(panel, "y_title"));
	draw_legend(c, series, c->bottom - PLOT - 6);
	json_array_foreach(series, i, one)
	{
		const json_t *xs = json_object_get(one, "x");
		size_t n = json_array_size(xs);
		double *x = memory_zeroed(n + 1, sizeof *x);
		for (size_t k = 0; k < n; k++)
			x[k] = number_at(xs, k);
		draw_line(c, x, json_object_get(one, "values"), n, 0, last, colours[i % COLOURS], false);
		free(x);
	}
}

static void draw_heat_panel(struct canvas *c, const json_t *panel, double top)
{
	const json_t *rows = json_object_get(panel, "values"), *row, *cell;
	double most = 0;
	size_t r, k;
	json_array_foreach(rows, r, row) json_array_foreach(row, k, cell) most =
	    fmax(most, json_number_value(cell));
	label(c->out, LEFT, top - 6, "", text_at(panel, "label"));
	json_array_foreach(rows, r, row) json_array_foreach(row, k, cell)
	{
		double share = most > 0 ? json_number_value(cell) / most : 0;
		if (share > 0)
			fprintf(c->out,
			        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"#e15759\" "
			        "fill-opacity=\"%.3f\"/>\n",
			        LEFT + (double)k * HEAT_CELL, top + (double)r * HEAT_CELL, HEAT_CELL,
			        HEAT_CELL, share);
	}
}

static char *draw_panels(const json_t *chart)
{
	const json_t *panels = json_object_get(chart, "panels"), *panel;
	bool heat = !strcmp(text_at(chart, "kind"), "heat");
	size_t i, bytes, rows = 0;
	char *text = NULL;
	json_array_foreach(panels, i, panel) rows +=
	    (size_t)json_integer_value(json_object_get(panel, "rows"));
	double height = heat ? TOP + (double)rows * HEAT_CELL + 30 * (double)json_array_size(panels)
	                     : TOP + (PLOT + 60) * (double)json_array_size(panels);
	struct canvas c = {.out = open_memstream(&text, &bytes), .width = 640};
	if (!c.out)
		BUG("no memory for a drawing");
	open_svg(&c, height + 20, chart);
	double top = TOP + 20;
	json_array_foreach(panels, i, panel)
	{
		if (heat) {
			draw_heat_panel(&c, panel, top);
			top += HEAT_CELL * (double)json_integer_value(json_object_get(panel, "rows")) + 30;
		} else {
			c.bottom = top + PLOT;
			draw_time_panel(&c, panel);
			top += PLOT + 60;
		}
	}
	label(c.out, c.width / 2, height + 12, "text-anchor=\"middle\"", text_at(chart, "x_title"));
	fputs("</svg>\n", c.out);
	fclose(c.out);
	return text;
}

char *reproduction_chart_svg(const json_t *chart)
{
	const char *kind = text_at(chart, "kind");
	if (!strcmp(kind, "table"))
		return NULL;
	if (json_object_get(chart, "panels"))
		return draw_panels(chart);
	return !strcmp(kind, "lines") ? draw_lines(chart)
	                              : draw_bars(chart, json_is_true(json_object_get(chart, "stack")));
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
