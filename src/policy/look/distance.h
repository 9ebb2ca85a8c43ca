/*
 * The observer of reuse distances: how many other lines an SM touched between two touches of one line (the
 * LRU stack distance of Mattson et al., 1970). A fully associative LRU cache of n lines hits where the
 * distance is below n.
 */
#ifndef SLUICE_POLICY_LOOK_DISTANCE_H
#define SLUICE_POLICY_LOOK_DISTANCE_H

#include "policy/look/line_table.h"
#include "policy/policy.h"

/* Bin 0 is distance 0; bin k, distances from 2^(k-1) to 2^k - 1. */
enum { DISTANCE_BINS = 26 };

/* A line's place in the LRU stack; lines are known by their number in the table. */
struct distance_node {
	uint32_t newer, older; /* neighbours; towards the ends, whatever was there */
	uint32_t bin;          /* of the distance that its next touch will have */
};

/* An SM's block. */
struct look_distance {
	struct line_table table;
	struct distance_node *node; /* by number */
	uint32_t capacity;          /* of node */
	uint32_t newest, oldest;
	uint32_t last[DISTANCE_BINS]; /* by bin: the line that is the farthest in it, if the bin is full */
	uint64_t bin[DISTANCE_BINS];  /* touches */
	uint64_t cold;                /* first touches */
	uint64_t untracked;           /* touches of lines that found no room */
};

extern const struct policy look_distance;

#endif
