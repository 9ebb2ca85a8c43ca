/* A paper as data: its figures and claims. */
#ifndef SLUICE_PAPERS_EXPERIMENT_PAPER_H
#define SLUICE_PAPERS_EXPERIMENT_PAPER_H

#include "papers/experiment/figure.h"

enum claim_flag { CLAIM_BASELINE, CLAIM_PREDICTION };
enum claim_kind { CLAIM_OTHER, CLAIM_HEADLINE, CLAIM_CLASS_MEAN, CLAIM_KINDS };
enum claim_type { CLAIM_GAIN, CLAIM_RATE, CLAIM_QUANTITY, CLAIM_ORDER, CLAIM_TYPES };
enum claim_bound { BOUND_NONE, BOUND_LEAST, BOUND_MOST };
extern const char *const claim_flags[2], *const claim_kinds[CLAIM_KINDS], *const claim_types[CLAIM_TYPES],
                                                                              *const claim_bounds[3];
struct claim_part {
	enum claim_type type;
	enum claim_bound bound;
	struct formula *formula, *direction; /* direction: may be NULL */
	double *value;
	struct texts value_text;
};
struct claim {
	const struct paper *paper;
	const struct figure *figure; /* names of its metrics need no prefix; may be NULL */
	char *id, *where, *says, *note, *not_measurable;
	enum claim_flag flag;
	enum claim_kind kind;
	struct claim_part *part;
	size_t parts;
	uint64_t line;
};

struct paper {
	char *name, *folder, *title, *machine;
	char *baseline, *below; /* the unmodified GPU as a chain; prefix of every policy; may be NULL */
	struct texts compared;  /* default policies of `sluice compare --paper` */
	int published;          /* enum workload_paper; -1: none */
	struct limits limits, quick;
	struct item_set *sets;
	size_t set_count;
	struct figure *figure;
	size_t figures;
	struct claim *claim;
	size_t claims;
};

/*
 * What the files of experiments may have executed: programs and the shared objects of policies. Workloads come with sluice
 * and are always allowed. SECURITY.md states the rule.
 */
enum papers_trust {
	PAPERS_REFUSED,   /* a file that names code is refused */
	PAPERS_UNTOUCHED, /* such a file is planned, but nothing of it is loaded or run: --dry-run, --list */
	PAPERS_ALLOWED,   /* --allow-programs */
};

struct papers {
	enum papers_trust trust;
	char folder[PATH_MAX];
	struct workloads workloads;
	bool quick;
	struct paper *paper;
	size_t count;
};

/* Find $SLUICE_PAPERS, or share/sluice/papers of this sluice (data_folder_find()). */
bool papers_folder(char folder[PATH_MAX], struct error *err);
/* Read and check all papers of a folder. False: err says where and why; there is nothing to free. */
bool papers_load(struct papers *papers, const char *folder, bool quick, struct error *err);
/* Read a user's file as a paper without a name that has one figure. */
bool papers_load_sweep(struct papers *papers, const char *path, bool quick, struct error *err);
void papers_free(struct papers *papers);

bool claims_read(const struct reader *r, const struct tree_node *node, struct paper *paper,
                 const struct figure *figure);
void claims_free(struct claim *claims, size_t count);

#endif
