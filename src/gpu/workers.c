/*
 * Workers. A quantum has two phases: SMs run, then memory runs. In each a
 * worker touches only what it owns and boxes made for it, in an order that
 * does not depend on how many workers there are.
 */
#include "gpu/internal.h"

#include <string.h>

#include "base/cpu.h"

static void empty_boxes(struct gpu *gpu, struct worker *worker, struct partition *partition)
{
	struct reply_box *replies = &partition->replies[worker->id];
	for (uint32_t i = 0; i < replies->count; i++)
		sm_push_reply(&gpu->sm[replies->item[i].sm], &replies->item[i]);
	replies->count = 0;
	struct packet_box *far = &partition->far[worker->id];
	for (uint32_t i = 0; i < far->count; i++)
		memory_worker_accept(&worker->memory, &far->item[i]);
	far->count = 0;
}

static void phase_sms(struct gpu *gpu, struct worker *worker)
{
	for (uint32_t word = 0; word < PARTITION_WORDS; word++) {
		uint64_t sent = 0;
		for (uint32_t w = 0; w < gpu->workers; w++)
			sent |= gpu->worker[w].memory.sent[word];
		for (; sent; sent &= sent - 1)
			empty_boxes(gpu, worker, &gpu->memory.partition[word * 64 + bits_lowest(sent)]);
	}
	for (uint32_t i = 0; i < gpu->active_count; i++) {
		struct sm *sm = &gpu->sm[gpu->active[i]];
		if (sm->worker == worker->id)
			sm_run_until(sm, gpu->end);
	}
}

static void phase_memory(struct gpu *gpu, struct worker *worker)
{
	memset(worker->memory.sent, 0, sizeof worker->memory.sent);
	for (uint32_t i = 0; i < gpu->active_count; i++) {
		struct packet_box *out = &gpu->sm[gpu->active[i]].out[worker->id];
		for (uint32_t k = 0; k < out->count; k++)
			memory_worker_accept(&worker->memory, &out->item[k]);
		out->count = 0;
	}
	memory_worker_run(&worker->memory, gpu->end);
}

static void meet(struct meeting *meeting)
{
	enum { SPINS = 4000 };
	uint32_t round = meeting->round;
	if (++meeting->arrived == meeting->parties) {
		meeting->arrived = 0;
		pthread_mutex_lock(&meeting->lock);
		meeting->round++;
		pthread_cond_broadcast(&meeting->changed);
		pthread_mutex_unlock(&meeting->lock);
		return;
	}
	for (int i = 0; i < SPINS; i++) {
		if (meeting->round != round)
			return;
		cpu_pause();
	}
	pthread_mutex_lock(&meeting->lock);
	while (meeting->round == round)
		pthread_cond_wait(&meeting->changed, &meeting->lock);
	pthread_mutex_unlock(&meeting->lock);
}

static void *worker_main(void *argument)
{
	struct worker *worker = argument;
	struct gpu *gpu = worker->gpu;
	for (;;) {
		meet(&gpu->meeting); /* the main thread gives the word */
		if (gpu->order == RUN_STOP)
			return NULL;
		phase_sms(gpu, worker);
		meet(&gpu->meeting);
		phase_memory(gpu, worker);
		meet(&gpu->meeting);
	}
}

/* When they are first needed: a program of few warps never is the worse for them. */
static void start(struct gpu *gpu)
{
	if (gpu->threads_started)
		return;
	gpu->threads_started = true;
	gpu->order = RUN_PHASES;
	gpu->meeting.parties = gpu->threads;
	gpu->meeting.arrived = gpu->meeting.round = 0;
	pthread_mutex_init(&gpu->meeting.lock, NULL);
	pthread_cond_init(&gpu->meeting.changed, NULL);
	for (uint32_t i = 1; i < gpu->threads; i++)
		if (pthread_create(&gpu->worker[i].thread, NULL, worker_main, &gpu->worker[i]))
			BUG("cannot start worker thread %u", i);
}

void workers_stop(struct gpu *gpu)
{
	if (!gpu->threads_started)
		return;
	gpu->order = RUN_STOP;
	meet(&gpu->meeting);
	for (uint32_t i = 1; i < gpu->threads; i++)
		pthread_join(gpu->worker[i].thread, NULL);
	pthread_mutex_destroy(&gpu->meeting.lock);
	pthread_cond_destroy(&gpu->meeting.changed);
	gpu->threads_started = false;
}

void workers_run_quantum(struct gpu *gpu)
{
	if (gpu->workers > 1)
		pace_begin_quantum(&gpu->pace);
	if (gpu->workers > 1 && gpu->pace.together) {
		start(gpu);
		meet(&gpu->meeting);
		phase_sms(gpu, &gpu->worker[0]);
		meet(&gpu->meeting);
		phase_memory(gpu, &gpu->worker[0]);
		meet(&gpu->meeting);
		return;
	}
	for (uint32_t i = 0; i < gpu->workers; i++)
		phase_sms(gpu, &gpu->worker[i]);
	for (uint32_t i = 0; i < gpu->workers; i++)
		phase_memory(gpu, &gpu->worker[i]);
}
