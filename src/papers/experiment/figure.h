/*
 * Experiments as data: a figure or table of a paper, or a user's own sweep.
 * docs/experiments.md has the format; figure_load.c and the files beside it
 * read it, plan.h makes simulations of it.
 */
#ifndef SLUICE_PAPERS_EXPERIMENT_FIGURE_H
#define SLUICE_PAPERS_EXPERIMENT_FIGURE_H

#include "papers/experiment/chart.h"
#include "papers/experiment/item.h"

enum { FIGURE_VARIABLES = 4, SERIES_VARIABLES = 4 };

/* A variable and the values it takes, as texts. */
struct variable {
	char *name;
	struct texts values; /* now */
	struct texts known;  /* without --quick; empty: the same */
};

struct series {
	char *label, *policy, *machine, *look; /* machine, look: NULL for the figure's */
	struct texts set;
	struct variable search[SERIES_VARIABLES];
	size_t searches;
	struct formula *best; /* by which a search chooses; NULL: ipc */
	bool best_is_least;
	struct {
		char *variable;
		size_t series; /* whose search found it */
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
	char *title, *where, *note, *machine, *kernels, *look;
	struct limits limits;
	struct texts set;
	struct item *item;
	size_t items;
	struct texts known_items; /* labels of all, those that --quick leaves out, too */
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

/* The figure's paper must be loaded. */
bool figure_load(struct figure *figure, const struct papers *papers, const struct paper *paper,
                 const struct reader *r, const struct tree_node *root);
void figure_free(struct figure *figure);
const struct figure *figure_find(const struct paper *paper, const char *id);
/* The place of a label; SIZE_MAX: none. */
size_t figure_series(const struct figure *figure, const char *label);
size_t figure_item(const struct figure *figure, const char *label);
/* Points: all combinations of the variables' values, the last variable changes first. */
size_t figure_points(const struct figure *figure);
void figure_point(const struct figure *figure, size_t point, size_t value[FIGURE_VARIABLES]);

#endif
