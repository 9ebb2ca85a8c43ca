/*
 * Decides by measurement whether a launch runs on several threads or on one.
 *
 * The workers synchronize three times per quantum, or four times in two. On a busy host, or with little work
 * per quantum, that costs more than it saves. So the other mode is tried from time to time for a few quanta,
 * and kept if it was faster than the quanta before and after it: a launch has phases, which favor neither
 * mode. Only the run time depends on it, never a result.
 */
#ifndef SLUICE_GPU_THREAD_TUNER_H
#define SLUICE_GPU_THREAD_TUNER_H

#include <stdbool.h>
#include <stdint.h>

struct thread_tuner {
	bool together; /* the mode of this window of quanta: several threads */
	bool alone;    /* the kept mode, from launch to launch, is one thread */
	bool idle;     /* little work: one thread, whatever mode is kept */
	enum {
		TUNER_KEEP,  /* the window measures the kept mode */
		TUNER_TRY,   /* the other mode */
		TUNER_AGAIN, /* the kept mode again, after it */
	} stage;
	double before, tried; /* seconds per step: the kept mode, then the other */
	double began, seconds;
	uint64_t steps;
	uint32_t quanta;         /* of this window */
	uint32_t windows, trust; /* since the last trial; until the next one */
};

/* Whether a launch of so many warps can gain from several threads; else one worker runs it. */
bool tuner_worth_sharing(uint64_t warps);
/* Begin a shared launch; what earlier launches taught is kept. All zero before the first. */
void tuner_start(struct thread_tuner *tuner);
void tuner_begin_quantum(struct thread_tuner *tuner);
/* `steps`: instructions, replies and so on, in proportion to the work done. */
void tuner_end_quantum(struct thread_tuner *tuner, uint64_t steps);

#endif
