/* The frame of a drawing. Colours suit light and dark pages. */
#include "report/chart/canvas.h"

#include <string.h>

#include "base/memory.h"

static const double PIXELS_PER_MM = 96 / 25.4;

enum { COLOURS = 10, TICK_ROOM = 44, LEGEND_LINE = 16 };

const char *svg_colour(size_t series)
{
	static const char *const colours[COLOURS] = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1",
	                                             "#76b7b2", "#9c755f", "#edc948", "#ff9da7", "#bab0ac"};
	return colours[series % COLOURS];
}

static void put_escaped(FILE *out, const char *text)
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
	put_escaped(out, text);
	fputs("</text>\n", out);
}

/* ---- the frame -------------------------------------------------------------------------------------------- */

struct canvas svg_canvas(char **text, size_t *bytes, double width)
{
	return (struct canvas){.out = memory_stream_open(text, bytes),
	                       .width = width,
	                       .plot = SVG_PLOT,
	                       .low = INFINITY,
	                       .high = -INFINITY};
}

double svg_y(const struct canvas *c, double value)
{
	double share = c->log ? (log(value) - log(c->low)) / (log(c->high) - log(c->low))
	                      : (value - c->low) / (c->high - c->low);
	/* What a logarithmic axis cannot show lies at the bottom. */
	share = !(share > 0) ? 0 : share > 1 ? 1 : share;
	return c->bottom - share * c->plot;
}

void svg_widen(struct canvas *c, double value)
{
	if (!isfinite(value) || (c->log && value <= 0))
		return;
	c->low = fmin(c->low, value);
	c->high = fmax(c->high, value);
}

void svg_widen_series(struct canvas *c, const json_t *series)
{
	const json_t *values = json_object_get(series, "values"),
	             *published = json_object_get(series, "published");
	for (size_t k = 0; k < json_array_size(values); k++) {
		svg_widen(c, number_at(values, k));
		svg_widen(c, number_at(published, k));
		svg_widen(c, number_at(json_object_get(series, "least"), k));
		svg_widen(c, number_at(json_object_get(series, "most"), k));
	}
}

double svg_x(const struct canvas *c, double x, double x_high)
{
	return SVG_LEFT + 6 + x / x_high * (c->width - SVG_LEFT - SVG_RIGHT - 12);
}

/* A small plot has fewer ticks. */
static int tick_count(const struct canvas *c)
{
	return (int)(c->plot / TICK_ROOM);
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
	/* Values that differ by rounding alone count as one: no step between ticks is that small. */
	if (!(c->high - c->low > 1e-9 * fmax(fabs(c->low), fabs(c->high))))
		c->high = c->low + (c->low != 0 ? fabs(c->low) : 1);
	if (c->log)
		return;
	double step = svg_step(c->high - c->low, tick_count(c));
	c->high = step * ceil(c->high / step - 1e-9);
	c->low = step * floor(c->low / step + 1e-9);
}

void svg_count(double value, char *text, size_t size)
{
	if (value >= 1e6)
		snprintf(text, size, "%g M", value / 1e6);
	else if (value >= 1e3)
		snprintf(text, size, "%g K", value / 1e3);
	else
		snprintf(text, size, "%g", value);
}

static void draw_tick(const struct canvas *c, double value)
{
	char text[32];
	double y = svg_y(c, value);
	if (value >= 1e4)
		svg_count(value, text, sizeof text);
	else
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
	double step = svg_step(c->high - c->low, tick_count(c));
	for (double v = c->low; v <= c->high + step / 2; v += step)
		draw_tick(c, fabs(v) < step / 1e6 ? 0 : v);
}

void svg_open(struct canvas *c, double height, const json_t *chart)
{
	char title[512];
	double width = c->width + c->before, mm = json_number_value(json_object_get(chart, "width_mm"));
	fprintf(c->out,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"%.0f 0 %.0f %.0f\" ",
	        0 - c->before, width, height);
	if (mm > 0)
		fprintf(c->out, "width=\"%.4gmm\" height=\"%.4gmm\"", mm, mm * height / width);
	else
		fprintf(c->out, "width=\"%.0f\" height=\"%.0f\"", width, height);
	fprintf(
	    c->out,
	    " font-family=\"sans-serif\" font-size=\"11\" role=\"img\">\n"
	    "<style>.chart{color:#222}.chart text{fill:currentColor}.chart .g{stroke:currentColor;stroke-opacity:.15}"
	    ".chart .a{stroke:currentColor;stroke-opacity:.55}.chart .p{stroke:currentColor;stroke-width:2;fill:none}"
	    ".chart .w{stroke:currentColor;fill:none}"
	    "%s@media print{.chart{color:#000}}</style>\n",
	    mm > 0 ? "" : "@media(prefers-color-scheme:dark){.chart{color:#e4e4e4}}");
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

double svg_wanted_width(const json_t *chart)
{
	return json_number_value(json_object_get(chart, "width_mm")) * PIXELS_PER_MM;
}

void svg_whisker(const struct canvas *c, double x, const json_t *series, size_t k)
{
	double least = number_at(json_object_get(series, "least"), k),
	       most = number_at(json_object_get(series, "most"), k);
	if (!isfinite(least) || !isfinite(most))
		return;
	double low = svg_y(c, least), high = svg_y(c, most);
	fprintf(c->out,
	        "<path class=\"w\" d=\"M%.1f %.1fh6m-3 0V%.1fm-3 0h6\"><title>%.4g to %.4g</title></path>\n",
	        x - 3, low, high, least, most);
}

/* ---- marks ------------------------------------------------------------------------------------------------ */

void svg_bar(const struct canvas *c, double x, double width, double from, double to, const char *colour,
             const char *title)
{
	double top = fmin(svg_y(c, from), svg_y(c, to)), bottom = fmax(svg_y(c, from), svg_y(c, to));
	fprintf(c->out,
	        "<rect class=\"m\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>",
	        x, top, width, fmax(bottom - top, 0.5), colour);
	put_escaped(c->out, title);
	fputs("</title></rect>\n", c->out);
}

void svg_line(const struct canvas *c, const double *x, const json_t *values, size_t n, double x_high,
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
		fprintf(c->out, "%.1f,%.1f ", svg_x(c, x[i], x_high), svg_y(c, value));
	}
	fputs(open ? "\"/>\n" : "", c->out);
	for (size_t i = 0; dots && i < n; i++)
		if (isfinite(number_at(values, i)))
			fprintf(c->out,
			        "<circle class=\"m\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" "
			        "fill=\"%s\"><title>%.4g</title></circle>\n",
			        svg_x(c, x[i], x_high), svg_y(c, number_at(values, i)), colour,
			        number_at(values, i));
}
