#include "gpu/workers.h"

#include <stdatomic.h>
#include <string.h>

#include "base/cpu.h"
#include "base/trap.h"
#include "gpu/internal.h"

/* A host core caches the state of about so many SMs; with more, an SM is evicted before its next turn. */
enum { SMS_IN_HOST_CACHE = 24 };

static void push_replies(struct gpu *gpu, struct reply_box *replies)
{
	for (uint32_t i = 0; i < replies->count; i++)
		sm_push_reply(&gpu->sm[replies->item[i].sm], &replies->item[i]);
	replies->count = 0;
}

static void phase_sms(struct gpu *gpu, struct worker *worker)
{
	for (uint32_t word = 0; word < PARTITION_WORDS; word++) {
		uint64_t sent = 0;
		for (uint32_t w = 0; w < gpu->workers; w++)
			sent |= gpu->worker[w].memory.sent[word];
		for (; sent; sent &= sent - 1) {
			struct partition *partition = &gpu->memory.partition[word * 64 + bits_lowest(sent)];
			push_replies(gpu, &partition->replies[worker->id]);
		}
	}
	worker->until = gpu->memory_start;
	bool crowded = gpu->active_count > gpu->workers * SMS_IN_HOST_CACHE;
	for (uint32_t i = 0; i < gpu->active_count; i++) {
		struct sm *sm = &gpu->sm[gpu->active[i]];
		if (sm->worker != worker->id)
			continue;
		if (crowded)
			sm_expect(sm, gpu->end);
		sm_run_until(sm, gpu->end);
	}
}

/* Run memory to the end of a step; give an observer the state at the end of each of its periods. */
static void run_memory(struct gpu *gpu, struct worker *worker)
{
	const struct memory_watch *watch = &gpu->chain->memory_watch;
	for (; watch->period && worker->watch_at <= worker->until; worker->watch_at += watch->period) {
		memory_worker_run(&worker->memory, worker->watch_at);
		for (uint32_t p = worker->id; p < gpu->machine->dram_channels; p += gpu->workers)
			watch->sample(gpu->chain->link[watch->link].gpu, p, worker->watch_at,
			              &gpu->memory.partition[p].counters);
	}
	memory_worker_run(&worker->memory, worker->until);
}

static void accept_requests(struct gpu *gpu, struct worker *worker)
{
	memset(worker->memory.sent, 0, sizeof worker->memory.sent);
	for (uint32_t i = 0; i < gpu->active_count; i++)
		memory_worker_accept_box(&worker->memory, &gpu->sm[gpu->active[i]].port.out[worker->id]);
}

/* Run one step of memory. The first step accepts what SMs have sent. */
static void phase_memory(struct gpu *gpu, struct worker *worker)
{
	memory_worker_begin_step(&worker->memory);
	if (worker->until == gpu->memory_start)
		accept_requests(gpu, worker);
	for (uint32_t w = 0; w < gpu->workers; w++)
		memory_worker_accept_fabric(&worker->memory, &gpu->worker[w].memory, worker->id);
	worker->until += gpu->quantum;
	run_memory(gpu, worker);
}

static uint32_t memory_steps(const struct gpu *gpu)
{
	return (uint32_t)((gpu->memory_end - gpu->memory_start) / gpu->quantum);
}

static void barrier_wait(struct barrier *barrier)
{
	enum { SPINS = 4000 };
	uint32_t round = barrier->round;
	if (++barrier->arrived == barrier->parties) {
		barrier->arrived = 0;
		pthread_mutex_lock(&barrier->lock);
		barrier->round++;
		pthread_cond_broadcast(&barrier->changed);
		pthread_mutex_unlock(&barrier->lock);
		return;
	}
	for (int i = 0; i < SPINS; i++) {
		if (barrier->round != round)
			return;
		cpu_pause();
	}
	pthread_mutex_lock(&barrier->lock);
	while (barrier->round == round)
		pthread_cond_wait(&barrier->changed, &barrier->lock);
	pthread_mutex_unlock(&barrier->lock);
}

struct phase {
	void (*run)(struct gpu *gpu, struct worker *worker);
	struct worker *worker;
};

static void run_phase(void *argument)
{
	const struct phase *phase = argument;
	phase->run(phase->worker->gpu, phase->worker);
}

/* Run a phase on a thread other than the main one. A trap there also ends the main thread's work (pass_trap()). */
static void phase_apart(struct worker *worker, void (*run)(struct gpu *gpu, struct worker *worker))
{
	struct gpu *gpu = worker->gpu;
	struct phase phase = {run, worker};
	struct error err;
	if (!gpu->trapped) {
		run(gpu, worker);
		return;
	}
	/* The second half of a quantum must not touch what the first half left unfinished. */
	if (gpu->trap_end != TRAP_NONE)
		return;
	enum trap_end end = trap_run(run_phase, &phase, &err);
	int none = TRAP_NONE;
	/* The main thread reads the text after the next barrier. */
	if (end != TRAP_NONE && atomic_compare_exchange_strong(&gpu->trap_end, &none, (int)end))
		gpu->trap_error = err;
}

/* Pass a trap to the main thread. The other threads stay at the barrier: this GPU is not used again. */
static void pass_trap(struct gpu *gpu)
{
	if (gpu->trap_end != TRAP_NONE)
		trap_spring((enum trap_end)gpu->trap_end, gpu->trap_error.text);
}

static void *worker_main(void *argument)
{
	struct worker *worker = argument;
	struct gpu *gpu = worker->gpu;
	for (;;) {
		barrier_wait(&gpu->barrier); /* until the main thread starts the quantum */
		if (gpu->order == RUN_STOP)
			return NULL;
		uint32_t steps = memory_steps(gpu);
		phase_apart(worker, phase_sms);
		barrier_wait(&gpu->barrier);
		for (uint32_t step = 0; step < steps; step++) {
			phase_apart(worker, phase_memory);
			barrier_wait(&gpu->barrier);
		}
	}
}

/* Start the threads when they are first needed: launches of few warps never pay for them. */
static void start(struct gpu *gpu)
{
	if (gpu->threads_started)
		return;
	gpu->threads_started = true;
	gpu->trapped = trap_is_set();
	gpu->order = RUN_PHASES;
	gpu->barrier.parties = gpu->threads;
	gpu->barrier.arrived = gpu->barrier.round = 0;
	pthread_mutex_init(&gpu->barrier.lock, NULL);
	pthread_cond_init(&gpu->barrier.changed, NULL);
	for (uint32_t i = 1; i < gpu->threads; i++)
		if (pthread_create(&gpu->worker[i].thread, NULL, worker_main, &gpu->worker[i]))
			BUG("cannot start worker thread %u", i);
}

void workers_stop(struct gpu *gpu)
{
	if (!gpu->threads_started)
		return;
	gpu->order = RUN_STOP;
	barrier_wait(&gpu->barrier);
	for (uint32_t i = 1; i < gpu->threads; i++)
		pthread_join(gpu->worker[i].thread, NULL);
	pthread_mutex_destroy(&gpu->barrier.lock);
	pthread_cond_destroy(&gpu->barrier.changed);
	gpu->threads_started = false;
}

static void run_together(struct gpu *gpu)
{
	uint32_t steps = memory_steps(gpu);
	start(gpu);
	barrier_wait(&gpu->barrier);
	phase_sms(gpu, &gpu->worker[0]);
	barrier_wait(&gpu->barrier);
	for (uint32_t step = 0; step < steps; step++) {
		phase_memory(gpu, &gpu->worker[0]);
		barrier_wait(&gpu->barrier);
	}
	pass_trap(gpu);
}

static void run_alone(struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->workers; i++)
		phase_sms(gpu, &gpu->worker[i]);
	for (uint32_t step = memory_steps(gpu); step; step--)
		for (uint32_t i = 0; i < gpu->workers; i++)
			phase_memory(gpu, &gpu->worker[i]);
}

void workers_run_quantum(struct gpu *gpu)
{
	if (gpu->workers > 1)
		tuner_begin_quantum(&gpu->tuner);
	if (gpu->workers > 1 && gpu->tuner.together)
		run_together(gpu);
	else
		run_alone(gpu);
}
