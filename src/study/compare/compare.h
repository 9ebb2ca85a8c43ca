/* Comparisons: several policies on one program, side by side, by the measures of compare.def. */
#ifndef SLUICE_STUDY_COMPARE_COMPARE_H
#define SLUICE_STUDY_COMPARE_COMPARE_H

#include "report/run_json.h"
#include "study/batch.h"

enum better { BETTER_MORE, BETTER_LESS, BETTER_NEITHER };
enum compare_value {
#define V(name, title, unit, decimals, better, doc) COMPARE_##name,
#include "study/compare/compare.def"
	COMPARE_COUNT
};
struct compare_info {
	const char *name, *title, *unit;
	int decimals;
	enum better better;
	const char *doc;
};
extern const struct compare_info compare_infos[COMPARE_COUNT];

struct compare_row {
	const char *label;           /* the policy as it was asked for */
	const char *chain;           /* as resolved */
	const char *status;          /* of the run */
	double value[COMPARE_COUNT]; /* NaN: there is none */
};

/* What was compared, for reports. */
struct compare_facts {
	const char *trace_name; /* without its folder */
	const struct machine *machine;
	const char *const *changes; /* to the machine, "section.key=value" */
	size_t change_count;
	const struct run_options *options;
	const struct run_program *program; /* NULL: a trace */
};

/* The speedup is over `first`, which may be the run itself. */
void compare_fill(struct compare_row *row, const struct batch_run *run, const struct batch_run *first);
/* Whether any row has a value. */
bool compare_has(const struct compare_row *rows, size_t count, enum compare_value value);
/* The rows' values by name, null where there are none; the definitions of all values. */
json_t *compare_values_json(const struct compare_row *row, bool with_energy);
json_t *compare_definitions(bool with_energy);
/* {"trace": …, "program": …, "machine": …, …}: what the results of all policies have in common. */
json_t *compare_facts_json(const struct compare_facts *facts);

/* text.c */
void compare_print(FILE *out, const struct compare_facts *facts, const struct compare_row *rows,
                   size_t count);
/* json.c: the caller frees the text. */
char *compare_write_json(const struct compare_facts *facts, const struct compare_row *rows,
                         const struct batch_run *runs, size_t count);

#endif
