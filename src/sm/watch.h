/*
 * The words of memory that polls of a launch wait for, and when lanes have written them.
 *
 * It changes between quanta alone: SMs read it while they run. What a poll asks about lies as far back as its reply
 * takes to travel, at least a quantum, and all writes of that time are known by then. Only how many writes of a word
 * were performed by some cycle matters, so the order in which they are added does not.
 */
#ifndef SLUICE_SM_WATCH_H
#define SLUICE_SM_WATCH_H

#include "base/cycle.h"
#include "trace/trace.h"

#define WATCH_NONE UINT32_MAX

struct watched_word {
	cycle_t *when; /* of every lane's write, ascending; owned */
	uint32_t count, capacity;
};

struct watch {
	const uint64_t *address; /* ascending, of the launch */
	uint32_t words;
	struct watched_word *word; /* in the same order; owned */
};

/* Begin a launch: no word has been written. NULL if its polls wait for nothing. watch_free() afterwards. */
struct watch *watch_new(const struct trace_kernel *kernel);
void watch_free(struct watch *watch);

/* The first watched word of [address, address + bytes); WATCH_NONE: none of these bytes is watched. */
uint32_t watch_find(const struct watch *watch, uint64_t address, uint32_t bytes);
/* So many lanes wrote the word at `when`. */
void watch_add(struct watch *watch, uint32_t word, cycle_t when, uint32_t lanes);
/* Lanes' writes of the word that have been performed by `when`. */
uint32_t watch_written(const struct watch *watch, uint32_t word, cycle_t when);
/* And at any time that is known of. */
static inline uint32_t watch_known(const struct watch *watch, uint32_t word)
{
	return watch->word[word].count;
}

#endif
