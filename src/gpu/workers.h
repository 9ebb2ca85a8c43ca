/*
 * Worker threads. SMs run first, then memory, in one step or two. In each phase a worker touches only what it
 * owns and boxes made for it, in an order that does not depend on the number of workers.
 */
#ifndef SLUICE_GPU_WORKERS_H
#define SLUICE_GPU_WORKERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct gpu;

/* Workers wait for each other: they spin for a while, then sleep. */
struct barrier {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t parties;
	_Atomic uint32_t arrived, round;
};

/* Run SMs from gpu->start to end and memory from memory_start to memory_end, on all threads or one, as the tuner decides. */
void workers_run_quantum(struct gpu *gpu);
/* End the threads, if any were started. */
void workers_stop(struct gpu *gpu);

#endif
