/*
 * The pace of warps in a wave: CTAs that run side by side because they may wait for each other. How far a warp gets before
 * another one looks decides what that one sees, as on a GPU. So each warp has a clock, in cycles of a GPU, which knows
 * what matters most: what an instruction takes, what an access takes that the warp waits for, and what a fence takes. The
 * numbers are those of validation/probes/waiting.cu on an H200. They are no prediction: the model of time comes later.
 */
#ifndef SLUICE_CUDA_EXECUTOR_PACE_H
#define SLUICE_CUDA_EXECUTOR_PACE_H

#include "cuda/executor/run.h"

enum {
	PACE_WINDOW = 256, /* warps advance in steps of so many cycles */
	PACE_INSN = 4,
	PACE_POLL = 330,
	PACE_FENCE = 800
};

static inline void pace_delay(struct warp *w, uint64_t cycles)
{
	w->delay += cycles;
}

/* Instructions that the warp may issue in this window; 0: its time has not come. */
static inline uint64_t pace_insns(const struct run *run, struct warp *w)
{
	uint64_t begin = run->window - PACE_WINDOW;
	if (w->time < begin)
		w->time = begin;
	return w->time >= run->window ? 0 : (run->window - w->time + PACE_INSN - 1) / PACE_INSN;
}

/* The warp has issued so many, and waited for what pace_delay() was told of. */
static inline void pace_advance(struct warp *w, uint64_t insns)
{
	w->time += insns * PACE_INSN + w->delay;
	w->delay = 0;
}

#endif
