#include "gpu/pace.h"

#include <time.h>

enum { WINDOW = 8, TRIAL = 2, TRUST_FIRST = 8, TRUST_MOST = 512, MANY_WARPS = 1024, FEW_STEPS = 50 };

static double clock_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void open_window(struct pace *pace, bool together)
{
	pace->together = together;
	pace->seconds = 0;
	pace->steps = 0;
	pace->quanta = 0;
}

bool pace_worth_sharing(uint64_t warps)
{
	return warps >= MANY_WARPS;
}

void pace_start(struct pace *pace)
{
	pace->trying = false;
	pace->cost[0] = pace->cost[1] = 0;
	if (!pace->trust)
		pace->trust = TRUST_FIRST;
	open_window(pace, !pace->alone);
}

void pace_begin_quantum(struct pace *pace)
{
	pace->began = clock_s();
}

/* The faster way is kept; the longer it has been the right one, the later it is doubted again. */
static void close_window(struct pace *pace)
{
	bool now = pace->together, better = pace->cost[!now] > 0 && pace->cost[!now] < pace->cost[now];
	if (pace->trying) {
		pace->trying = false;
		pace->windows = 0;
		pace->trust = better && pace->trust < TRUST_MOST ? 2 * pace->trust
		              : better                           ? TRUST_MOST
		                                                 : TRUST_FIRST;
		open_window(pace, better ? !now : now);
		pace->alone = !pace->together;
		return;
	}
	pace->trying = ++pace->windows >= pace->trust;
	open_window(pace, pace->trying ? !now : now);
}

void pace_end_quantum(struct pace *pace, uint64_t steps)
{
	pace->seconds += clock_s() - pace->began;
	pace->steps += steps;
	uint32_t length = pace->trying ? TRIAL : WINDOW; /* the wrong way is expensive */
	if (++pace->quanta < length)
		return;
	/* A window in which little happened says nothing, except that threads had nothing to do. */
	if (pace->steps < length * FEW_STEPS) {
		open_window(pace, pace->trying ? !pace->together : false);
		pace->trying = false;
		return;
	}
	pace->cost[pace->together] = pace->seconds / (double)pace->steps;
	close_window(pace);
}
