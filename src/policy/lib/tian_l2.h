/*
 * The L2 side of Tian's predictor (GPGPU-8 2015, section 3.1): a bit per line that remembers a bypass of L1. A byte
 * stands for it, per frame of each slice. Slices share nothing, so that each may have a thread of its own.
 */
#ifndef SLUICE_POLICY_LIB_TIAN_L2_H
#define SLUICE_POLICY_LIB_TIAN_L2_H

#include "policy/policy.h"

/* Bits to L2, and back. */
enum {
	ASK_LOAD = 1,   /* a load that was predicted */
	ASK_BYPASS = 2, /* to take no line */
	SAY_SEEN = 1,   /* the line was bypassed before */
	SAY_BYPASS = 2, /* the prediction comes back */
};

/* A bit per line of L2, in all. */
uint64_t tian_l2_bits(const struct policy_env *env);
size_t tian_l2_bytes(const struct policy_env *env);
void tian_l2_init(void *block, const struct policy_env *env);
/* Of a miss of L1: what its bit was, which the next one does not find again. */
uint8_t tian_l2_reply(void *block, const struct l2_request *request);
/* The line has a frame now. */
void tian_l2_fill(void *block, const struct l2_request *request);

#endif
