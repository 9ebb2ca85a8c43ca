/*
 * Whether several threads pay: measured, not guessed.
 *
 * The workers meet three times a quantum, or four times in two. On a busy host, or with little to do per
 * quantum, that costs more than it brings; so now and then the other way is tried for a few quanta. It is
 * kept if it was faster than what came before and what comes behind: a launch has phases, which are no merit
 * of either way. Only the time a run takes depends on it, never its results.
 */
#ifndef SLUICE_GPU_THREAD_TUNER_H
#define SLUICE_GPU_THREAD_TUNER_H

#include <stdbool.h>
#include <stdint.h>

struct thread_tuner {
	bool together; /* the way of this window of quanta */
	bool alone;    /* the way that is kept, from launch to launch, is without threads */
	bool idle;     /* little happens: without threads, whatever is kept */
	enum {
		TUNER_KEEP,  /* the window measures the kept way */
		TUNER_TRY,   /* the other one */
		TUNER_AGAIN, /* and the kept one behind it */
	} stage;
	double before, tried; /* seconds per step: the kept way, then the other */
	double began, seconds;
	uint64_t steps;
	uint32_t quanta;         /* of this window */
	uint32_t windows, trust; /* since the last trial; after so many comes the next */
};

/* So few warps never pay: their launch is left to one worker. */
bool tuner_worth_sharing(uint64_t warps);
/* A launch that is shared begins; what was learnt in those before it is kept. All zero before the first. */
void tuner_start(struct thread_tuner *tuner);
void tuner_begin_quantum(struct thread_tuner *tuner);
/* `steps`: instructions, replies and so on, in proportion to the work done. */
void tuner_end_quantum(struct thread_tuner *tuner, uint64_t steps);

#endif
