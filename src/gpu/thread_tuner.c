#include "gpu/thread_tuner.h"

#include <time.h>

enum { WINDOW = 4, TRIAL = 2, TRUST_FIRST = 8, TRUST_MOST = 512, MANY_WARPS = 1024, FEW_STEPS = 50 };

static double clock_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void open_window(struct thread_tuner *tuner, bool together)
{
	tuner->together = together;
	tuner->seconds = 0;
	tuner->steps = 0;
	tuner->quanta = 0;
}

static void open_kept(struct thread_tuner *tuner)
{
	open_window(tuner, !tuner->alone);
}

bool tuner_worth_sharing(uint64_t warps)
{
	return warps >= MANY_WARPS;
}

void tuner_start(struct thread_tuner *tuner)
{
	tuner->stage = TUNER_KEEP;
	tuner->idle = false;
	if (!tuner->trust)
		tuner->trust = TRUST_FIRST;
	open_kept(tuner);
}

void tuner_begin_quantum(struct thread_tuner *tuner)
{
	tuner->began = clock_s();
}

/* The longer the kept mode has won, the later the next trial. */
static void decide(struct thread_tuner *tuner, double again)
{
	bool better = tuner->tried < tuner->before && tuner->tried < again;
	tuner->alone ^= better;
	tuner->trust = better ? TRUST_FIRST : 2 * tuner->trust;
	tuner->trust = tuner->trust < TRUST_MOST ? tuner->trust : TRUST_MOST;
	tuner->windows = 0;
}

static void close_window(struct thread_tuner *tuner, double cost)
{
	switch (tuner->stage) {
	case TUNER_KEEP:
		tuner->before = cost;
		if (++tuner->windows < tuner->trust)
			break;
		tuner->stage = TUNER_TRY;
		open_window(tuner, tuner->alone);
		return;
	case TUNER_TRY:
		tuner->tried = cost;
		tuner->stage = TUNER_AGAIN;
		break;
	case TUNER_AGAIN:
		decide(tuner, cost);
		tuner->stage = TUNER_KEEP;
	}
	open_kept(tuner);
}

void tuner_end_quantum(struct thread_tuner *tuner, uint64_t steps)
{
	tuner->seconds += clock_s() - tuner->began;
	tuner->steps += steps;
	/* The wrong mode is expensive, and so is one thread when there is work again. */
	uint32_t length = tuner->stage == TUNER_TRY || tuner->idle ? TRIAL : WINDOW;
	if (++tuner->quanta < length)
		return;
	/* A window with little work says nothing about the modes. */
	bool idle = tuner->steps < length * FEW_STEPS;
	if (idle) {
		tuner->stage = TUNER_KEEP;
		open_window(tuner, false);
	} else if (tuner->idle) {
		open_kept(tuner);
	} else {
		close_window(tuner, tuner->seconds / (double)tuner->steps);
	}
	tuner->idle = idle;
}
