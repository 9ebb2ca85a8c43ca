/* What the drawings of charts share. Private to src/papers/report/report_svg*.c. */
#ifndef SLUICE_PAPERS_REPORT_REPORT_SVG_H
#define SLUICE_PAPERS_REPORT_REPORT_SVG_H

#include "papers/report/report_parts.h"

enum { SVG_LEFT = 64, SVG_RIGHT = 16, SVG_PLOT = 220 };

struct canvas {
	FILE *out;
	double width, top, bottom; /* bottom: y of the axis */
	double low, high;          /* of values */
	bool log;
};

/* A drawing into memory: the caller closes `out` with svg_close(). */
struct canvas svg_canvas(char **text, size_t *bytes, double width);
/* Head of the file with title and unit; what follows starts at c->top. */
void svg_open(struct canvas *c, double height, const json_t *chart);
void svg_close(struct canvas *c);

/* The range of values grows; svg_settle() rounds it to ticks. */
void svg_widen(struct canvas *c, double value);
void svg_settle(struct canvas *c);
double svg_y(const struct canvas *c, double value);
/* A round step for so many ticks of a span. */
double svg_step(double span, int ticks);
void svg_ticks(const struct canvas *c);

void svg_label(FILE *out, double x, double y, const char *more, const char *text);
void svg_bar(const struct canvas *c, double x, double width, double from, double to, const char *colour,
             const char *title);
const char *svg_colour(size_t series);
/* Boxes with labels of series, in as many lines as they need from y on; returns the y behind them. out NULL: measures. */
double svg_legend(FILE *out, double width, const json_t *series, bool published, double y);

/* report_svg_panels.c: time series and matrices. */
char *svg_draw_panels(const json_t *chart);
/* One line through the points whose values are there. */
void svg_draw_line(const struct canvas *c, const double *x, const json_t *values, size_t n, double x_high,
                   const char *colour, bool dots);

#endif
