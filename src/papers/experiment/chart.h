/* How a chart of a figure is drawn. */
#ifndef SLUICE_PAPERS_EXPERIMENT_CHART_H
#define SLUICE_PAPERS_EXPERIMENT_CHART_H

#include "papers/formula/formula.h"
#include "yaml/reader.h"

enum chart_kind { CHART_BARS, CHART_STACKED, CHART_LINES, CHART_TIME, CHART_HEAT, CHART_TABLE, CHART_KINDS };
extern const char *const chart_kinds[CHART_KINDS];

struct chart_part {
	char *label; /* NULL: the text of y */
	char *text;
	struct formula *y;
};
struct chart_published {
	char *series, *x;
	double value;
};
struct chart {
	enum chart_kind kind;
	char *title, *y_title, *unit, *x, *over, *mean; /* NULL: none given */
	struct chart_part *part;
	size_t parts;
	struct texts series, workloads, means;
	bool reduction, log;
	int row; /* heat: draw this row alone; -1: all */
	struct chart_published *published;
	size_t published_count;
};

struct figure;

bool charts_read(const struct reader *r, const struct tree_node *node, struct figure *figure);
void charts_free(struct chart *charts, size_t count);

#endif
