/* A figure or table of a paper, or a user's own sweep, as its file states it (docs/experiments.md). */
#ifndef SLUICE_PAPERS_EXPERIMENT_FIGURE_H
#define SLUICE_PAPERS_EXPERIMENT_FIGURE_H

#include "papers/experiment/chart.h"
#include "papers/experiment/items.h"

enum { FIGURE_VARIABLES = 4, SERIES_VARIABLES = 4 };

/* A variable and the values it takes, as texts. */
struct variable {
	char *name;
	struct texts values; /* used */
	struct texts known;  /* without --quick; empty: the same */
};

struct series {
	char *label, *policy, *machine, *look; /* machine, look: NULL for the figure's */
	struct texts set;
	struct variable search[SERIES_VARIABLES];
	size_t searches;
	struct formula *best; /* what a search maximizes or minimizes; NULL: ipc */
	bool best_is_least;
	struct {
		char *variable;
		size_t series; /* the series that searches it */
	} found[SERIES_VARIABLES];
	size_t founds;
	bool *left_out; /* by item; NULL: none */
	uint64_t line, column;
};

struct metric_def {
	char *name;
	struct formula *formula;
};

struct figure {
	const struct paper *paper;
	char *id, *file, *folder;
	char *title, *where, *note, *machine, *kernels, *window, *look;
	struct limits limits;
	struct texts set;
	struct item *item;
	size_t items;
	struct texts known_items; /* labels of all, including those that --quick leaves out */
	struct item_set *sets;
	size_t set_count;
	struct variable variable[FIGURE_VARIABLES];
	size_t variables;
	struct series *series;
	size_t series_count;
	struct metric_def *metric, *derived;
	size_t metrics, deriveds;
	struct chart *chart;
	size_t charts;
};

/* Read a figure. Its paper must be loaded. */
bool figure_load(struct figure *figure, const struct papers *papers, const struct paper *paper,
                 const struct reader *r, const struct tree_node *root);
void figure_free(struct figure *figure);
const struct figure *figure_find(const struct paper *paper, const char *id);
/* Return the place of a label, or SIZE_MAX. */
size_t figure_series(const struct figure *figure, const char *label);
size_t figure_item(const struct figure *figure, const char *label);
/* Points are all combinations of the variables' values; the last variable changes first. */
size_t figure_points(const struct figure *figure);
void figure_point(const struct figure *figure, size_t point, size_t value[FIGURE_VARIABLES]);

#endif
