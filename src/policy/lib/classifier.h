/*
 * LCM's locality classifier (Fang et al. 2021, section 4.1): is a load streaming, reused by its own warp, or
 * by other warps?
 *
 * Per load instruction one warp is watched: the first line that it asked for, how often that line was asked
 * for since, and how often by that warp. When the warp asks for another line, or after more than `threshold`
 * requests, the counts decide, and watching begins anew.
 *
 * It listens between coalescer and L1 (prel1_insert), where requests that are later joined, bypassed or
 * served are all still one stream: classifiers of several policies of a chain see the same and conclude the
 * same. Instructions are told apart by time: the lines of one follow each other within a cycle.
 */
#ifndef SLUICE_POLICY_LIB_CLASSIFIER_H
#define SLUICE_POLICY_LIB_CLASSIFIER_H

#include "policy/policy.h"

enum locality {
	LOCALITY_STREAMING = 0,
	LOCALITY_INTRA = 1, /* bits: both may be set */
	LOCALITY_INTER = 2,
	LOCALITY_UNKNOWN = 4,
};

enum {
	CLASSIFIER_IDS = 16,  /* of instructions: 4 bits of hashed PC; entries of the load alias table */
	CLASSIFIER_ROWS = 32, /* of the information table; a row per ID is in use */
	CLASSIFIER_COUNT_MAX = 15,
};

struct classifier_watch {
	uint64_t line;
	uint32_t warp;
	uint8_t total, intra;
	bool live;
	bool asks_l1; /* L1 has not been asked yet how often the line was used before */
};

struct classifier_load {
	uint64_t pc;
	enum locality type;
	bool taken;
};

struct classifier_frame {
	uint64_t line;
	uint8_t count;
	uint8_t warp; /* low bits of the warp that brought it */
};

struct classifier {
	uint32_t threshold;
	struct classifier_watch watch[CLASSIFIER_IDS];
	struct classifier_load load[CLASSIFIER_IDS];
	/* the request heard last; arrival 0: none */
	uint64_t last_pc, last_arrival;
	uint32_t last_warp;
	struct classifier_frame frame[]; /* of L1: how often its line was asked for */
};

size_t classifier_bytes(const struct policy_env *env);
/* Storage in hardware, Table 4: counts in L1's tags, information table, load alias table. */
uint64_t classifier_bits(const struct policy_env *env);
/* Nothing is known. */
void classifier_init(struct classifier *c, const struct policy_env *env, uint32_t threshold);
/* From prel1_insert; being asked twice for one request does no harm. */
void classifier_request(struct classifier *c, const struct prel1_item *request);
/* From on_l1_hit, on_l1_pending and on_l1_miss. */
void classifier_l1(struct classifier *c, const struct l1_event *event);
enum locality classifier_type(const struct classifier *c, uint64_t pc);
/* Table 1, by the counts of the watched warp and of all. */
enum locality classifier_decide(uint32_t intra, uint32_t total);

#endif
