/*
 * CIAO's interference detector, its decisions and its cache in shared memory (Zhang et al., IPDPS 2018, sections III and IV,
 * Algorithm 1), shared by ciao-p, ciao-t and ciao-c, which differ in what happens to a warp that interferes.
 *
 * For every warp the detector keeps the lines that it lost (victim tags), how often it missed them, and the warp that took
 * them most often of late. A warp that misses too many accuses its interferer, which is isolated or stalled until the accuser
 * recovers or needs no executing: it has ended, or it waits at a barrier, perhaps for the very warp that it had stalled.
 *
 * Left out: the six cycles that a score takes in hardware (epochs hide them).
 */
#ifndef SLUICE_POLICY_LIB_CIAO_H
#define SLUICE_POLICY_LIB_CIAO_H

#include "policy/lib/victim_tags.h"
#include "policy/policy.h"

enum ciao_mode { CIAO_PARTITION, CIAO_THROTTLE, CIAO_COMBINED };
enum ciao_cause { CIAO_ISOLATED, CIAO_STALLED }; /* the two fields of a pair-list entry */
enum { CIAO_NOBODY = -1, CIAO_COUNTER_MAX = 3 };

struct ciao_pair {
	int32_t warp; /* the accuser; CIAO_NOBODY: the entry is empty */
	uint64_t generation;
};

struct ciao_warp {
	uint64_t generation; /* 0: the slot is empty */
	uint64_t vta_hits;   /* of all warps that the slot has had in this launch */
	int32_t interferer;  /* CIAO_NOBODY: none yet */
	uint8_t counter;     /* of the interference list, 2 bits */
	bool stalled, isolated;
	bool waits; /* at a barrier */
	struct ciao_pair pair[2];
};

#define CIAO_STATS                                                                                           \
	"vta_hits", "isolations", "stalls", "returns_to_l1", "reactivations", "low_epochs",                  \
	    "stalled_at_low_epochs", "isolated_at_low_epochs", "isolated_loads", "deadlock_releases",        \
	    "warps_at_low_epochs"
struct ciao_stats {
	uint64_t vta_hits, isolations, stalls, returns_to_l1, reactivations, low_epochs;
	uint64_t stalled_at_low_epochs, isolated_at_low_epochs, isolated_loads, deadlock_releases;
	uint64_t warps_at_low_epochs;
};

/* Of all three policies; their tables begin with CIAO_PARAM_ROWS. */
struct ciao_params {
	double high_cutoff, low_cutoff;
	uint32_t high_epoch, low_epoch, vta;
	bool window, score_threads, epoch_threads, sweep, late_replace, divide, barrier_keeps;
	bool literal_index;  /* of policies with a cache in shared memory */
	uint32_t hit_cycles; /* likewise */
};
/* clang-format off */
#define CIAO_PARAM_ROWS \
	PARAM_REAL(struct ciao_params, high_cutoff, 0.01, 0, 1000, "", "score above which a warp's interferer is acted upon"), \
	PARAM_REAL(struct ciao_params, low_cutoff, 0.005, 0, 1000, "", "score down to which it is kept from L1 or from issue"), \
	PARAM_U32(struct ciao_params, high_epoch, 5000, 1, 1e9, "instructions", "instructions of an SM between two accusations"), \
	PARAM_U32(struct ciao_params, low_epoch, 100, 1, 1e9, "instructions", "instructions of an SM between two acquittals"), \
	PARAM_U32(struct ciao_params, vta, 8, 1, 1024, "tags", "victim tags per warp, first in first out"), \
	PARAM_BOOL(struct ciao_params, window, 0, 0, 1, "", "scores count from the last high epoch, not from the launch (A2)"), \
	PARAM_BOOL(struct ciao_params, score_threads, 0, 0, 1, "", "scores count instructions of threads, not of warps (A3)"), \
	PARAM_BOOL(struct ciao_params, epoch_threads, 1, 0, 1, "", "epochs count instructions of threads, not of warps (A3)"), \
	PARAM_BOOL(struct ciao_params, sweep, 1, 0, 1, "", "an epoch examines all warps; no: one, in turn (A4)"), \
	PARAM_BOOL(struct ciao_params, late_replace, 0, 0, 1, "", "an interferer is replaced only if its counter was 0 (A6)"), \
	PARAM_BOOL(struct ciao_params, divide, 0, 0, 1, "", "divide by the active warps, as Algorithm 1 is printed (A1)"), \
	PARAM_BOOL(struct ciao_params, barrier_keeps, 0, 0, 1, "", \
		   "a warp at a barrier still needs executing: it keeps those that it accused (A11b)")
#define CIAO_AUX_PARAM_ROWS \
	PARAM_BOOL(struct ciao_params, literal_index, 0, 0, 1, "", \
		   "auxiliary cache indexed by low address bits, not folded (A15)"), \
	PARAM_U32(struct ciao_params, hit_cycles, 1, 1, 1000, "cycles", "a load that hits in the auxiliary cache")
/* clang-format on */

static inline const struct ciao_params *ciao_given(const struct policy_env *env)
{
	return env->params;
}

struct ciao {
	enum ciao_mode mode;
	struct ciao_params given;
	uint32_t warps, schedulers;
	uint32_t running; /* unfinished and not stalled: N_active of the paper */
	uint32_t stalled, isolated;
	uint64_t accused[4];                     /* 64 slots each: those that are stalled, isolated or both */
	uint32_t turn;                           /* next warp to examine, without sweep */
	uint64_t insns;                          /* that scores are divided by */
	uint64_t epoch_insns, low_end, high_end; /* that epochs are made of */
	uint64_t next_end;                       /* the sooner of the two */
	uint64_t window_insns;                   /* instructions when scores last began */
	uint64_t moved;                          /* cycle in which a warp last issued, began or ended */
	uint64_t next_generation;
	uint32_t aux_sets; /* lines of the auxiliary cache now */
	struct ciao_stats stats;
	struct victim_tags tags;
	uint64_t *stalled_mask; /* per scheduler */
	struct ciao_warp warp[];
};

size_t ciao_bytes(const struct policy_env *env);
void ciao_init(struct ciao *c, const struct policy_env *env, enum ciao_mode mode);
const char *ciao_refuses(const struct policy_env *env);

/* Each structure of the paper in bits: Section V-F counts the first four. */
struct ciao_bits {
	uint64_t tags, counters, interference_list, pair_list, line_owner, flags;
};
struct ciao_bits ciao_hardware(const struct policy_env *env);
uint64_t ciao_sm_bits(const struct policy_env *env);
void ciao_add_stats(const void *sm, uint64_t *sum);

/* Hooks of the policies. */
struct throttle ciao_throttle(void *sm, const struct sched_view *view);
void ciao_on_issue(void *sm, uint32_t warp, uint64_t pc, uint32_t lanes, uint64_t cycle);
void ciao_on_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle);
void ciao_on_warp_exit(void *sm, uint32_t warp, uint64_t cycle);
void ciao_on_barrier(void *sm, uint32_t warp, bool waits, uint64_t cycle);
void ciao_on_l1_miss(void *sm, const struct l1_event *event);
void ciao_on_l1_evict(void *sm, const struct l1_event *event);

/* Whether the warp's individual re-reference score (Eq. 1) is above the cutoff. */
bool ciao_score_above(const struct ciao *c, uint32_t warp, double cutoff);
/* Note that warp `by` took a line that warp `of` wanted again. */
void ciao_note_interference(struct ciao *c, uint32_t of, uint32_t by);
/* End an epoch, whatever number of instructions was counted. */
void ciao_end_epoch(struct ciao *c, bool low, bool high);

/* ---- unused shared memory as a cache ------------------------------------------------------------------- */

/* Where a line lies in shared memory; section IV-B, Figure 7c. Rows are 2 groups of 16 banks of 8 B. */
struct ciao_place {
	uint32_t index; /* {row, group} of the data */
	uint32_t data_row, data_group;
	uint32_t tag_row, tag_group, tag_slot;
};
/* Return how many lines fit into so many bytes of shared memory with their tags: a power of two, or 0. */
uint32_t ciao_aux_lines(uint32_t unused_bytes);
struct ciao_place ciao_place_of(uint32_t index);
uint32_t ciao_aux_index(const void *params, uint64_t line, uint32_t sets);
struct aux_shape ciao_aux_cache(void *sm, const struct sm_view *view);
enum l1_route ciao_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail);

#endif
