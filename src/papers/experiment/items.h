/* What an experiment runs: workloads, programs and traces, and named sets of them. */
#ifndef SLUICE_PAPERS_EXPERIMENT_ITEM_H
#define SLUICE_PAPERS_EXPERIMENT_ITEM_H

#include "papers/formula/formula.h"
#include "workload/target.h"
#include "yaml/reader.h"

struct papers;
struct paper;

/* How far runs go. */
struct limits {
	enum workload_size size;
	uint64_t insns; /* warp instructions; 0: no limit */
	bool cold_l2;
	bool has_size, has_insns, has_cold_l2; /* given, not inherited */
};

enum item_kind { ITEM_WORKLOAD, ITEM_PROGRAM, ITEM_TRACE };
struct item {
	enum item_kind kind;
	char *label;
	const struct workload *workload;            /* ITEM_WORKLOAD */
	const struct workload_published *published; /* of this paper; NULL: none */
	char *path, *args, *kernels;                /* NULL: none given */
	char *window; /* text of a launch window (window/window.h); NULL: none given */
	struct limits limits;
};

struct item_set {
	char *name;
	struct texts labels;
};

/* Read size, insns and cold_l2; keys that are not given keep their values. */
bool limits_read(const struct reader *r, const struct tree_node *map, struct limits *limits);
/* Return `base` with what is given in `over`. */
struct limits limits_merge(struct limits base, struct limits over);

/* What names of workloads refer to. */
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
/* Read named sets. */
bool item_sets_read(const struct reader *r, const struct tree_node *node, const struct item_context *context,
                    struct item_set **sets, size_t *count);
void item_sets_free(struct item_set *sets, size_t count);
void item_sets_classes(const struct papers *papers, const struct paper *paper, struct item_set **sets,
                       size_t *count);

/* Read the key `window` of a map, if it is there: *window is its text. */
bool window_load(const struct reader *r, const struct tree_node *parent, char **window);

#endif
