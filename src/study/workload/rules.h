/*
 * What papers publish against what was measured: the papers' classes as rules on numbers, and the verdicts. Pure
 * functions; docs/workloads.md quotes the passages that the rules follow.
 */
#ifndef SLUICE_STUDY_WORKLOAD_RULES_H
#define SLUICE_STUDY_WORKLOAD_RULES_H

#include "workload/workload.h"

/* The simulations that classes and characteristics are taken from. */
enum rule_run {
	RULE_GTO,          /* the paper's machine as it is */
	RULE_CIAO_T,       /* interfering warps are held back */
	RULE_CIAO_P,       /* their loads go to unused shared memory */
	RULE_LARGE_L1,     /* an L1 larger by the shared memory that CTAs leave free */
	RULE_UNBOUNDED_L1, /* an unbounded L1 */
	RULE_BYPASS,       /* no L1, no L2 */
	RULE_BYPASS_L1,    /* no L1 */
	RULE_UNBOUNDED,    /* L1 and L2 without end */
	RULE_PRIC,         /* pseudo-random set index of L1 */
	RULE_WHOLE_L1,     /* L1 has the whole unified array in addition to shared memory (OSM, Figure 9) */
	RULE_SWL,          /* the best static limit of warps */
	RULE_RUNS
};
extern const char *const rule_run_names[RULE_RUNS];

/* Of one simulation; all NaN: not simulated. */
struct rule_numbers {
	double ipc;
	double l1_miss_rate, l2_hit_rate; /* from 0 to 1; NaN: no access */
	double mpki;                      /* L1 misses per 1000 thread instructions */
	double line_fails,
	    mshr_fails; /* cycles that loads waited for a line, for an MSHR, per 1000 SM-cycles */
};

enum { RULE_LIMITS = 64 };

/* What is known of a workload on a paper's machine; NaN: not measured. */
struct workload_measured {
	/* The trace: the launch whose CTAs take the most shared memory of an SM; none: smem_cta_bytes is 0. */
	double smem_cta_bytes, ctas_per_sm, ctas_without_smem;
	double ctas_given;        /* CTAs of that launch per SM of the machine */
	double value[FACT_COUNT]; /* class: NaN */
	double launches, insns;   /* of the trace */
	struct rule_numbers run[RULE_RUNS];
	/* Instructions per cycle under swl:n=N, by N; and the most warps an SM of the machine gets at all. */
	double swl_ipc[RULE_LIMITS + 1];
	double schedulers, resident_warps;
	double simulated_insns; /* under gto; fewer than `insns`: it was truncated */
};
/* Nothing measured yet. */
void measured_clear(struct workload_measured *measured);

/* ---- classes ---- */

/* By the paper's own words; NULL: more has to be measured. */
const char *rule_class(enum workload_paper paper, const struct workload_measured *measured);
/* Share of the L1 misses beyond first uses that an L1 larger by unused shared memory does not have. */
double rule_recovered(const struct workload_measured *measured);

/* ---- verdicts ---- */

enum verdict { VERDICT_OK, VERDICT_OFF, VERDICT_EXPLAINED, VERDICT_INFO, VERDICT_COUNT };
extern const char *const verdict_names[VERDICT_COUNT];

/* Compare a published characteristic with the measured one. `class`: of rule_class(). */
enum verdict rule_judge(const struct workload_published *published, enum workload_fact fact,
                        const struct workload_measured *measured, const char *class);
/* The least of 0 8 16 32 64 96 KB that holds so many bytes; beyond: 96. */
double rule_carve_kb(double bytes);

#endif
