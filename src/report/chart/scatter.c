/*
 * Scatter plots on two logarithmic axes of one range: {"kind": "scatter", "x_title", "y_title", "series": [{"label",
 * "points": [[x, y], ...]}, ...]}. The diagonal is where both values are equal.
 */
#include "report/chart/canvas.h"

#include <math.h>

/* Points that a logarithmic axis can show; false: leave it out. */
static bool point_at(const json_t *points, size_t i, double *x, double *y)
{
	*x = number_at(json_array_get(points, i), 0);
	*y = number_at(json_array_get(points, i), 1);
	return *x > 0 && *y > 0 && isfinite(*x) && isfinite(*y);
}

static void widen(struct canvas *c, const json_t *series)
{
	double x, y;
	for (size_t s = 0; s < json_array_size(series); s++) {
		const json_t *points = json_object_get(json_array_get(series, s), "points");
		for (size_t i = 0; i < json_array_size(points); i++)
			if (point_at(points, i, &x, &y)) {
				svg_widen(c, x);
				svg_widen(c, y);
			}
	}
	svg_settle(c);
	c->low = pow(10, floor(log10(c->low)));
	c->high = pow(10, ceil(log10(c->high)));
}

static double place_x(const struct canvas *c, double x)
{
	return svg_x(c, log(x / c->low), log(c->high / c->low));
}

static void draw_x_axis(const struct canvas *c, const char *title)
{
	char text[32];
	for (double v = c->low; v <= c->high * 1.001; v *= 10) {
		svg_count(v, text, sizeof text);
		fprintf(c->out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" class=\"g\"/>\n",
		        place_x(c, v), place_x(c, v), c->top, c->bottom);
		svg_label(c->out, place_x(c, v), c->bottom + 16, "text-anchor=\"middle\"", text);
	}
	svg_label(c->out, (c->width + SVG_LEFT - SVG_RIGHT) / 2, c->bottom + 34, "text-anchor=\"middle\"",
	          title);
	fprintf(c->out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#888\"/>\n",
	        place_x(c, c->low), svg_y(c, c->low), place_x(c, c->high), svg_y(c, c->high));
}

static void draw_points(const struct canvas *c, const json_t *points, size_t series)
{
	double x, y;
	for (size_t i = 0; i < json_array_size(points); i++)
		if (point_at(points, i, &x, &y))
			fprintf(
			    c->out,
			    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" fill-opacity=\"0.6\"/>\n",
			    place_x(c, x), svg_y(c, y), svg_colour(series));
}

char *svg_draw_scatter(const json_t *chart)
{
	const json_t *series = json_object_get(chart, "series");
	size_t bytes;
	char *text = NULL;
	struct canvas c = svg_canvas(&text, &bytes, 480);
	c.log = true;
	c.plot = 380;
	widen(&c, series);
	double legend = svg_legend(NULL, c.width, series, false, 0);
	svg_open(&c, 40 + legend + 10 + c.plot + 44, chart);
	c.top = svg_legend(c.out, c.width, series, false, c.top) + 10;
	c.bottom = c.top + c.plot;
	svg_ticks(&c);
	draw_x_axis(&c, text_at(chart, "x_title"));
	for (size_t s = 0; s < json_array_size(series); s++)
		draw_points(&c, json_object_get(json_array_get(series, s), "points"), s);
	svg_close(&c);
	return text;
}
