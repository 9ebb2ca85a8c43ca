/*
 * Experiments as data: a figure or table of a paper, or a user's own sweep.
 * docs/experiments.md has the format; figure_load.c and the files beside it
 * read it, plan.h makes simulations of it.
 */
#ifndef SLUICE_LAB_REPRODUCE_FIGURE_H
#define SLUICE_LAB_REPRODUCE_FIGURE_H

#include "lab/reproduce/reader.h"
#include "lab/workload/target.h"

enum { FIGURE_VARIABLES = 4, SERIES_VARIABLES = 4 };

/* A variable and the values it takes, as texts. */
struct variable {
	char *name;
	struct texts values; /* now */
	struct texts known;  /* without --quick; empty: the same */
};

/* How far runs go. */
struct limits {
	enum workload_size size;
	uint64_t insns; /* warp instructions; 0: no limit */
	bool cold_l2;
	bool has_size, has_insns, has_cold_l2; /* given, not inherited */
};

enum item_kind { ITEM_WORKLOAD, ITEM_PROGRAM, ITEM_TRACE };
/* One row of the experiment. */
struct item {
	enum item_kind kind;
	char *label;
	const struct workload *workload;            /* ITEM_WORKLOAD */
	const struct workload_published *published; /* of this paper; NULL: none */
	char *path, *args, *kernels;                /* NULL: none given */
	struct limits limits;
};

struct item_set {
	char *name;
	struct texts labels;
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

enum chart_kind { CHART_BARS, CHART_STACKED, CHART_LINES, CHART_TIME, CHART_HEAT, CHART_TABLE, CHART_KINDS };
extern const char *const chart_kinds[CHART_KINDS];

struct chart_part {
	char *label; /* NULL: y alone */
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

struct paper;

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

enum claim_flag { CLAIM_BASELINE, CLAIM_PREDICTION };
enum claim_type { CLAIM_GAIN, CLAIM_RATE, CLAIM_QUANTITY, CLAIM_ORDER, CLAIM_TYPES };
enum claim_bound { BOUND_NONE, BOUND_LEAST, BOUND_MOST };
extern const char *const claim_flags[2], *const claim_types[CLAIM_TYPES], *const claim_bounds[3];
struct claim_part {
	enum claim_type type;
	enum claim_bound bound;
	struct formula *formula, *direction; /* direction: NULL if there is none */
	double *value;
	struct texts value_text;
};
struct claim {
	const struct paper *paper;
	const struct figure *figure; /* whose names need no prefix; NULL: of none */
	char *id, *where, *says, *note, *not_measurable;
	enum claim_flag flag;
	struct claim_part *part;
	size_t parts;
	uint64_t line;
};

struct paper {
	char *name, *folder, *title, *machine;
	int published; /* enum workload_paper; -1: none */
	struct limits limits, quick;
	struct item_set *sets;
	size_t set_count;
	struct figure *figure;
	size_t figures;
	struct claim *claim;
	size_t claims;
};

struct papers {
	char folder[PATH_MAX];
	struct workloads workloads;
	bool quick;
	struct paper *paper;
	size_t count;
};

/* $SLUICE_PAPERS, the source tree's papers/, or PREFIX/share/sluice/papers. */
bool papers_folder(char folder[PATH_MAX], struct error *err);
/* All papers of the folder, with figures and claims, checked. False: err says where and why, nothing to free. */
bool papers_load(struct papers *papers, const char *folder, bool quick, struct error *err);
/* One file of a user's own, as a paper without a name with one figure. */
bool papers_load_sweep(struct papers *papers, const char *path, bool quick, struct error *err);
void papers_free(struct papers *papers);

/* figure_load.c. The figure's paper must be loaded. */
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

/* figure_limits.c: size, insns, cold_l2 of a map, on top of what is there. */
bool limits_read(const struct reader *r, const struct tree_node *map, struct limits *limits);
/* What is given in `over` goes first. */
struct limits limits_merge(struct limits base, struct limits over);

/* figure_items.c: WORKLOADS into items. */
struct item_context {
	const struct papers *papers;
	const struct paper *paper;
	const struct item_set *sets; /* of the figure */
	size_t set_count;
	const char *folder; /* of the file */
	struct limits limits;
};
bool items_read(const struct reader *r, const struct tree_node *node, const struct item_context *context,
                struct item **items, size_t *count);
void items_free(struct item *items, size_t count);
/* Classes of the paper and its named sets, as labels. */
bool item_sets_read(const struct reader *r, const struct tree_node *node, const struct item_context *context,
                    struct item_set **sets, size_t *count);
void item_sets_free(struct item_set *sets, size_t count);
void item_sets_classes(const struct papers *papers, const struct paper *paper, struct item_set **sets,
                       size_t *count);

/* chart_load.c */
bool charts_read(const struct reader *r, const struct tree_node *node, struct figure *figure);
void charts_free(struct chart *charts, size_t count);

/* claims_load.c */
bool claims_read(const struct reader *r, const struct tree_node *node, struct paper *paper,
                 const struct figure *figure);
void claims_free(struct claim *claims, size_t count);

#endif
