/* The frame of a drawing: size, axes, ticks, legend, and the marks that several kinds share. Private to src/report/chart. */
#ifndef SLUICE_REPORT_CHART_CANVAS_H
#define SLUICE_REPORT_CHART_CANVAS_H

#include "report/document.h"

/* Margins, and the height of a plot unless the canvas has another. */
enum { SVG_LEFT = 64, SVG_RIGHT = 16, SVG_PLOT = 220 };

struct canvas {
	FILE *out;
	double width, plot; /* of the drawing; height of the plot */
	double before;      /* room for labels that begin left of 0 */
	double top, bottom; /* bottom: y of the axis */
	double low, high;   /* range of values */
	bool log;
};

/* Start a drawing in memory. svg_close() completes `text`, which the caller owns. */
struct canvas svg_canvas(char **text, size_t *bytes, double width);
/* Write the head of the file with title and unit. The plot may begin at c->top. */
void svg_open(struct canvas *c, double height, const json_t *chart);
void svg_close(struct canvas *c);

/* Extend the range of values; NAN and what a logarithmic axis cannot show are ignored. */
void svg_widen(struct canvas *c, double value);
/* Extend the range by all values of a series: ours and the published ones. */
void svg_widen_series(struct canvas *c, const json_t *series);
/* Round the range to ticks; before anything is placed by svg_y(). */
void svg_settle(struct canvas *c);
double svg_y(const struct canvas *c, double value);
/* Place x, from 0 to x_high, between the margins. */
double svg_x(const struct canvas *c, double x, double x_high);
/* Return a round step that divides a span into about so many ticks. */
double svg_step(double span, int ticks);
void svg_ticks(const struct canvas *c);
/* Write "12 M" or "500 K", for axes of instructions and cycles. */
void svg_count(double value, char *text, size_t size);

void svg_label(FILE *out, double x, double y, const char *attributes, const char *text);
void svg_bar(const struct canvas *c, double x, double width, double from, double to, const char *colour,
             const char *title);
/* Draw a line through the points that have values; with dots, each point is marked and says its value. */
void svg_line(const struct canvas *c, const double *x, const json_t *values, size_t n, double x_high,
              const char *colour, bool dots);
const char *svg_colour(size_t series);
/* Draw boxes with the labels of series from y on; return the y below. Without `out`, only measure. */
double svg_legend(FILE *out, double width, const json_t *series, bool published, double y);

/* The width that the chart's `width_mm` asks for, in pixels; 0: none. */
double svg_wanted_width(const json_t *chart);
/* Draw an error bar from `least` to `most` of value k of a series, if it has them. */
void svg_whisker(const struct canvas *c, double x, const json_t *series, size_t k);

/* chart.c: the plot of a chart of lines between c->top and c->bottom. */
void svg_plot_lines(struct canvas *c, const json_t *chart);
/* panels.c: time series, matrices, grids. */
char *svg_draw_panels(const json_t *chart);
/* scatter.c */
char *svg_draw_scatter(const json_t *chart);

#endif
