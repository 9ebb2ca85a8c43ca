/*
 * Advice: what bounds a program on a machine, and what would help.
 *
 * A plan names the runs: the baseline, limits of L1, the machine with one resource relaxed, and mechanisms by family.
 * measure.h simulates them. The evidence is a few numbers from their results, and advise_judge() derives the verdict from
 * it: all rules are there.
 */
#ifndef SLUICE_STUDY_ADVISE_ADVISE_H
#define SLUICE_STUDY_ADVISE_ADVISE_H

#include "study/batch.h"
#include "study/compare/compare.h"

enum { ADVISE_CHANGES_MAX = 12, ADVISE_CHANGE_SIZE = 64, ADVISE_REASON_SIZE = 256, ADVISE_LINES = 8 };

enum advise_kind { ADVISE_BASELINE, ADVISE_LIMIT, ADVISE_WHAT_IF, ADVISE_MECHANISM };

/* One run that advice may ask for. */
struct advise_entry {
	const char *name; /* unique: what JSON calls it */
	enum advise_kind kind;
	const char *family; /* of a mechanism */
	const char *chain;  /* policies */
	bool quick;         /* --quick runs it, too */
	bool shared;        /* only where launches use shared memory */
	const char *what;   /* in plain words, behind "with ..." */
};
/* The baseline comes first. */
extern const struct advise_entry advise_entries[];
extern const size_t advise_entry_count;

/* A run of the plan; the results lie in a struct batch_run of the same index. */
struct advise_run {
	const struct advise_entry *entry;
	char *chain;                       /* the policies, with found parameters */
	char left_out[ADVISE_REASON_SIZE]; /* why it was not run; empty: it was */
	double speedup;                    /* IPC over the baseline's; NaN: none */
};

/*
 * Fill `changes` with the changes of the machine that a what-if makes, "section.key=value": they relax that resource and no
 * other. Return their number; 0 for other entries.
 */
size_t advise_relax(const struct advise_entry *entry, const struct machine *machine,
                    char changes[ADVISE_CHANGES_MAX][ADVISE_CHANGE_SIZE]);

/* ---- the verdict --------------------------------------------------------------------------------------- */

enum advise_bound {
	ADVISE_OCCUPANCY,    /* SMs without a CTA */
	ADVISE_ISSUE,        /* issue slots or arithmetic pipes */
	ADVISE_SHARED_BANKS, /* passes through shared memory */
	ADVISE_BARRIERS,
	ADVISE_CONFLICT,   /* sets of L1 */
	ADVISE_CAPACITY,   /* L1 */
	ADVISE_MSHRS,      /* misses that may be outstanding */
	ADVISE_L2,         /* bandwidth of L2 and the interconnect */
	ADVISE_DRAM,       /* bandwidth */
	ADVISE_LATENCY,    /* of memory: too few warps to hide it */
	ADVISE_DEPENDENCE, /* of arithmetic: too few warps to hide it */
	ADVISE_OTHER,      /* the largest stall reason says the rest */
	ADVISE_BOUNDS
};
/* "dram", and "DRAM bandwidth". */
extern const char *const advise_bound_names[ADVISE_BOUNDS], *const advise_bound_words[ADVISE_BOUNDS];

/* Speedups over the baseline; NaN: not known. Shares are of 1. */
struct advise_evidence {
	double perfect_l1, unbounded, interference_free, min, set_index;
	double mshrs, l2, dram, latency;
	double idle;     /* SM-cycles without a CTA, of all */
	double issue;    /* issue slots used, of those of SMs with a CTA */
	double pipes;    /* SM-cycles in which a ready instruction waited for its pipe, of those with a CTA */
	double barriers; /* SM-cycles that waited at a barrier, likewise */
	double arithmetic;     /* SM-cycles that waited for an arithmetic result or a branch, likewise */
	double smem;           /* passes through shared memory per SM-cycle with a CTA */
	double smem_conflicts; /* those due to bank conflicts, of all */
};

struct advise_verdict {
	enum advise_bound bound;
	double relaxed;  /* speedup without that limit; NaN: not measured */
	double possible; /* best speedup of an L1 that fetches every line once */
};
struct advise_verdict advise_judge(const struct advise_evidence *evidence);

/* A speedup below 1 + this counts as none. */
extern const double ADVISE_NOTICEABLE;
/* Of what was possible, how much `speedup` reaches; NaN: nothing was possible. */
double advise_share(double speedup, double possible);

/* ---- out of the results ------------------------------------------------------------------------------------ */

struct advise_line {
	const char *kernel;      /* belongs to the results */
	uint32_t line;           /* 0: unknown */
	char pc[24], opcode[48]; /* of the instruction with the most misses */
	uint64_t missed, avoidable,
	    interference; /* sectors; of `missed`: an unbounded L1, or one per warp, would save */
	uint64_t most;    /* of one instruction */
};

struct advise_report {
	const struct compare_facts *facts;
	const char *operand; /* program with its words, or trace, as on the command line */
	const char *source;  /* file whose lines are shown; NULL: none */
	const struct advise_run *plan;
	const struct batch_run *runs;
	size_t count;
	size_t swl_runs; /* simulated to find Best-SWL's limit */
	struct advise_evidence evidence;
	struct advise_verdict verdict;
	const struct advise_run *best; /* mechanism; NULL: none ran */
	struct advise_line line[ADVISE_LINES];
	size_t lines;
	uint64_t missed; /* sectors, all lines */
};

/* Fill the speedups of the plan, the evidence, the verdict, the best mechanism and the lines to blame. */
void advise_conclude(struct advise_report *report, struct advise_run *plan);
/* blame.c: fills line, lines and missed. */
void advise_blame(struct advise_report *report);
/* The result of the named run; NULL: it has none. */
const json_t *advise_result(const struct advise_report *report, const char *name);

void advise_print(FILE *out, const struct advise_report *report);
/* The document; the caller owns it. */
json_t *advise_json(const struct advise_report *report);
/* page.c: the poster; the caller frees the text. */
char *advise_write_page(const struct advise_report *report);
/* The caller frees the text. */
char *advise_write_json(const struct advise_report *report);
/* words.c: the conclusion as sentences, one per line; the caller frees it. */
char *advise_sentences(const struct advise_report *report);

#endif
