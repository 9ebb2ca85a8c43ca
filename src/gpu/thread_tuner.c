#include "gpu/thread_tuner.h"

#include <time.h>

enum { WINDOW = 8, TRIAL = 2, TRUST_FIRST = 8, TRUST_MOST = 512, MANY_WARPS = 1024, FEW_STEPS = 50 };

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

bool tuner_worth_sharing(uint64_t warps)
{
	return warps >= MANY_WARPS;
}

void tuner_start(struct thread_tuner *tuner)
{
	tuner->trying = false;
	tuner->cost[0] = tuner->cost[1] = 0;
	if (!tuner->trust)
		tuner->trust = TRUST_FIRST;
	open_window(tuner, !tuner->alone);
}

void tuner_begin_quantum(struct thread_tuner *tuner)
{
	tuner->began = clock_s();
}

/* The faster way is kept; the longer it has been the right one, the later it is doubted again. */
static void close_window(struct thread_tuner *tuner)
{
	bool now = tuner->together, better = tuner->cost[!now] > 0 && tuner->cost[!now] < tuner->cost[now];
	if (tuner->trying) {
		tuner->trying = false;
		tuner->windows = 0;
		tuner->trust = better && tuner->trust < TRUST_MOST ? 2 * tuner->trust
		               : better                            ? TRUST_MOST
		                                                   : TRUST_FIRST;
		open_window(tuner, better ? !now : now);
		tuner->alone = !tuner->together;
		return;
	}
	tuner->trying = ++tuner->windows >= tuner->trust;
	open_window(tuner, tuner->trying ? !now : now);
}

void tuner_end_quantum(struct thread_tuner *tuner, uint64_t steps)
{
	tuner->seconds += clock_s() - tuner->began;
	tuner->steps += steps;
	uint32_t length = tuner->trying ? TRIAL : WINDOW; /* the wrong way is expensive */
	if (++tuner->quanta < length)
		return;
	/* A window in which little happened says nothing, except that threads had nothing to do. */
	if (tuner->steps < length * FEW_STEPS) {
		open_window(tuner, tuner->trying ? !tuner->together : false);
		tuner->trying = false;
		return;
	}
	tuner->cost[tuner->together] = tuner->seconds / (double)tuner->steps;
	close_window(tuner);
}
