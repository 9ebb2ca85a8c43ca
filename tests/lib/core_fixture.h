/*
 * An SM and a memory side with a launch begun on them, that no loop drives:
 * the test calls the parts. Only SM 0 takes part; what it sends lies in its
 * port's box.
 */
#ifndef SLUICE_TESTS_LIB_CORE_FIXTURE_H
#define SLUICE_TESTS_LIB_CORE_FIXTURE_H

/* Changes to a machine: lines of one sector, for tests that are not about sectors. */
#define UNDIVIDED "l1d.sector_bytes=128 l2.sector_bytes=128"

#include <stdio.h>
#include <stdlib.h>

#include "gpu/decode.h"
#include "gpu/occupancy.h"
#include "lib/bench.h"
#include "lib/synth.h"

struct core {
	struct bench bench;
	struct trace *trace;
	struct machine *machine;
	struct sm *sm;
	struct launch *launch;
	struct memory *memory;
	struct memory_worker *worker;
	struct error error;
	bool failed;
	uint64_t *pc_misses;
};

/* Takes the trace over, whose first kernel is launched. */
static inline struct core *core_open(struct bench_setup setup, struct trace *trace)
{
	struct core *c = calloc(1, sizeof *c);
	c->bench = bench_open(setup);
	struct gpu *gpu = c->bench.gpu;
	c->trace = trace;
	c->machine = c->bench.machine;
	c->sm = &gpu->sm[0];
	c->memory = &gpu->memory;
	c->worker = &gpu->worker[0].memory;
	c->launch = &gpu->launch;
	c->launch->trace = trace;
	c->launch->kernel = trace_kernel_at(trace, 0);
	c->launch->cta_slots = occupancy_ctas(c->machine, c->bench.chain, c->launch->kernel, &c->error);
	if (!c->launch->cta_slots || !decode_kernel(c->launch, c->machine, &c->error)) {
		fprintf(stderr, "%s\n", c->error.text);
		exit(1);
	}
	hooks_init_gpu(&gpu->hooks, c->bench.chain, &c->error, &c->failed);
	c->launch->l1_lines =
	    occupancy_l1_lines(c->machine, &gpu->hooks, c->launch->kernel, c->launch->cta_slots);
	c->launch->smem_window =
	    occupancy_smem_window(c->machine, &gpu->hooks, c->launch->kernel, c->launch->cta_slots);
	gpu->workers = 1;
	crossbar_share(&gpu->crossbar, 1);
	memory_reset(c->memory, true);
	memory_worker_reset(c->worker);
	c->pc_misses = calloc(c->launch->kernel->insn_count + 1, sizeof *c->pc_misses);
	gpu->worker[0].reader = trace_reader_new(trace, &c->error);
	struct sm_worker lent = {.coalescer = gpu->worker[0].coalescer,
	                         .reader = gpu->worker[0].reader,
	                         .error = &c->error,
	                         .pc_misses = c->pc_misses};
	sm_lend(c->sm, 0, &lent);
	sm_begin_launch(c->sm, c->launch);
	return c;
}

static inline void core_close(struct core *c)
{
	bench_close(&c->bench);
	trace_close(c->trace);
	free(c->pc_misses);
	free(c);
}

/* CORE c = core_open(...): it is closed where its block ends. */
static inline void core_leave(struct core **c)
{
	core_close(*c);
}
#define CORE __attribute__((cleanup(core_leave))) struct core *

static inline uint64_t core_count(const struct core *c, enum counter counter)
{
	return c->sm->account.counters.value[counter];
}

/* Packets that SM 0 has sent; the i-th of them. */
static inline uint32_t core_sent(const struct core *c)
{
	return c->sm->port.out[0].count;
}
static inline const struct packet *core_packet(const struct core *c, uint32_t i)
{
	if (i >= core_sent(c))
		BUG("no such packet was sent");
	return &c->sm->port.out[0].item[i];
}

/* Both have counted and sent the same. */
static inline bool core_same(const struct core *a, const struct core *b)
{
	bool same = core_sent(a) == core_sent(b) &&
	            !memcmp(&a->sm->account.counters, &b->sm->account.counters, sizeof(struct counters));
	for (uint32_t i = 0; same && i < core_sent(a); i++)
		same = !memcmp(core_packet(a, i), core_packet(b, i), sizeof(struct packet));
	return same;
}

/* Starts CTA `id` now; returns its slot. */
static inline uint32_t core_start_cta(struct core *c, uint64_t id, cycle_t now)
{
	struct warp_source sources[CTA_WARPS];
	uint32_t slot = 0;
	if (!warps_open_cta(&c->sm->warps, id, sources, &slot)) {
		fprintf(stderr, "%s\n", c->error.text);
		exit(1);
	}
	warps_start(&c->sm->warps, slot, sources, now);
	return slot;
}

/* ---- memory instructions --------------------------------------------------------------------------------------- */

/* The static instructions of core_memory_trace(), by index. */
enum { CORE_LOAD, CORE_STORE, CORE_ATOMIC, CORE_REDUCE, CORE_LOCAL_STORE, CORE_LOCAL_LOAD, CORE_INSNS };

/* One warp that executes each of them once; registers 8 and up are loaded. */
static inline struct trace *core_memory_trace(uint32_t warp_size, uint32_t shared_bytes)
{
	struct synth *s = synth_new();
	const struct trace_insn insn[CORE_INSNS] = {
	    [CORE_LOAD] = synth_load(0, 8, 2),
	    [CORE_STORE] = synth_memory(1, OP_STORE, SPACE_GLOBAL, 4, 9, 2),
	    [CORE_ATOMIC] = synth_memory(2, OP_ATOMIC, SPACE_GLOBAL, 4, 10, 2),
	    [CORE_REDUCE] = synth_memory(3, OP_REDUCE, SPACE_GLOBAL, 4, 9, 2),
	    [CORE_LOCAL_STORE] = synth_memory(4, OP_STORE, SPACE_LOCAL, 4, 9, 2),
	    [CORE_LOCAL_LOAD] = synth_memory(5, OP_LOAD, SPACE_LOCAL, 4, 11, 2),
	};
	synth_kernel(s, &(struct synth_shape){.name = "memory",
	                                      .ctas = 1,
	                                      .warps = 1,
	                                      .warp_size = warp_size,
	                                      .shared_bytes = shared_bytes});
	synth_warp(s, 0, 0);
	for (uint32_t i = 0; i < CORE_INSNS; i++)
		synth_stride(s, insn[i], 1, 0x1000, 0);
	return synth_finish(s);
}

/* An instruction of warp 0 in front of L1, its load opened if it has a result. */
static inline struct mem_insn core_access(struct core *c, uint32_t insn)
{
	const struct decoded *decoded = &c->launch->insn[insn];
	struct mem_insn mem = {.insn = insn,
	                       .space = decoded->space,
	                       .lines = 1,
	                       .wavefronts = 1,
	                       .sectors = 1,
	                       .generation = (uint32_t)c->sm->warps.warp[0].generation};
	struct load_owner owner = {decoded, mem.generation, insn, 0};
	if (decoded->op != OP_STORE)
		mem.load = loads_open(&c->sm->loads, &owner, STALL_LONG_SCOREBOARD);
	return mem;
}

/* A line request that touches all bytes of these sectors. */
static inline struct line_request core_line(const struct core *c, uint64_t line, uint8_t sectors)
{
	struct line_request request = {.line = line, .sectors = sectors, .full = sectors};
	uint32_t chunks = c->machine->l1d_sector_bytes / CHUNK_BYTES;
	for (uint32_t chunk = 0; chunk < LINE_CHUNKS; chunk++)
		if (sectors >> chunk / chunks & 1)
			request.bytes[chunk] = UINT32_MAX;
	return request;
}

/* One line of a global load. */
static inline enum l1_fail core_load_line(struct core *c, uint64_t line, uint8_t sectors, cycle_t now)
{
	struct mem_insn mem = core_access(c, CORE_LOAD);
	struct line_request request = core_line(c, line, sectors);
	enum l1_fail fail = l1_load(&c->sm->l1, &mem, &request, now);
	loads_close(&c->sm->loads, mem.load, now);
	return fail;
}

/* Answers the packet `i` of SM 0 as L2 would. */
static inline void core_answer(struct core *c, uint32_t i, uint8_t sectors, cycle_t now)
{
	const struct packet *p = core_packet(c, i);
	struct reply reply = {.when = now, .line = p->line, .token = p->token, .sectors = sectors};
	l1_reply(&c->sm->l1, &reply, now);
}

#endif
