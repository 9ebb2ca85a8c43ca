/*
 * Tuning: find the values of policy parameters that serve a goal best over the whole run. Of equal values the largest
 * wins, because it restricts least.
 */
#ifndef SLUICE_STUDY_TUNE_TUNE_H
#define SLUICE_STUDY_TUNE_TUNE_H

#include "study/batch.h"
#include "study/compare/compare.h"

enum { TUNE_PARAMS_MAX = 4, TUNE_POINTS_MAX = 4096 };
enum tune_goal { TUNE_IPC, TUNE_CYCLES };
enum tune_search { TUNE_EXHAUSTIVE, TUNE_GOLDEN };

struct tune_param {
	char policy[256], name[64];
	uint64_t from, to;
};

struct tune_space {
	struct tune_param param[TUNE_PARAMS_MAX];
	size_t params;
	size_t points; /* all combinations; the last parameter changes first */
	char *chain;   /* the policies without the parameters' values */
};

/* "swl.n=1..24" */
bool tune_param_parse(struct tune_param *param, const char *text, struct error *err);
/* `chain`: NULL for the policies that the parameters name. False: err says why, nothing to free. */
bool tune_space_make(struct tune_space *space, const char *const *params, size_t count, const char *chain,
                     struct error *err);
void tune_space_free(struct tune_space *space);
void tune_values(const struct tune_space *space, size_t point, uint64_t values[TUNE_PARAMS_MAX]);
/* The chain of a point, "gto,swl:n=3"; the caller frees it. */
char *tune_chain(const struct tune_space *space, size_t point);

/*
 * Measures points and says how good each is: more is better. Points may be
 * asked for again.
 */
struct tune_measure {
	bool (*measure)(void *user, const size_t *points, size_t count, struct error *err);
	double (*score)(void *user, size_t point);
	void *user;
};
/* Measure all points, or those of a golden-section search; *best is the best of them. */
bool tune_search(const struct tune_measure *measure, size_t points, enum tune_search search, size_t *best,
                 struct error *err);

/* What a report of the search shows. */
struct tune_result {
	const struct compare_facts *facts;
	const struct tune_space *space;
	enum tune_goal goal;
	enum tune_search search;
	const struct batch_run *runs; /* by point; those without a result were not measured */
	size_t best;
};
double tune_score(const struct batch_run *run, enum tune_goal goal);
void tune_print(FILE *out, const struct tune_result *result);
/* The caller frees the text. */
char *tune_write_json(const struct tune_result *result);

#endif
