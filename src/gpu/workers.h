/*
 * Worker threads. First SMs run, then memory does, in one step or two. In each phase a worker touches only
 * what it owns and boxes made for it, in an order that does not depend on how many workers there are.
 */
#ifndef SLUICE_GPU_WORKERS_H
#define SLUICE_GPU_WORKERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct gpu;

/* Workers wait here for one another: they spin a little, then sleep. */
struct barrier {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t parties;
	_Atomic uint32_t arrived, round;
};

/* SMs from gpu->start to end, memory from memory_start to memory_end: on all threads or on this one, as the tuner says. */
void workers_run_quantum(struct gpu *gpu);
/* Ends the threads, if any were started. */
void workers_stop(struct gpu *gpu);

#endif
