/*
 * A trace forged from the input, right in its form and wild in all else (instructions that no GPU has, any mask, any
 * address, CTAs and warps left out), is simulated under a policy that the input chooses. It ends, done or wedged with a
 * report, and every instruction of the trace is counted once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/gpu.h"
#include "run/run.h"
#include "trace/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INSNS = 12, CTAS_MAX = 12, STEPS_MAX = 400 };

struct input {
	const uint8_t *at;
	size_t left;
};

static uint8_t take(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->at++;
}

static uint32_t take32(struct input *in)
{
	return take(in) | (uint32_t)take(in) << 8 | (uint32_t)take(in) << 16 | (uint32_t)take(in) << 24;
}

/* Only what the format allows. */
static uint32_t add_insn(struct trace_writer *w, struct input *in, uint32_t number, bool *has_memory)
{
	struct trace_insn insn = {.pc = 16 * number,
	                          .flags = (uint16_t)((take(in) | take(in) << 8) & 0x7ff),
	                          .op = take(in) % OP_COUNT,
	                          .space = take(in) % SPACE_COUNT,
	                          .width_bytes = (uint8_t)(1 << take(in) % 5),
	                          .dst = take(in),
	                          .src_count = take(in) % (TRACE_MAX_SRC + 1)};
	insn.dst_span = insn.dst == TRACE_REG_NONE ? 0 : 1;
	for (unsigned i = 0; i < insn.src_count; i++) {
		insn.src[i] = take(in);
		insn.src_span[i] = insn.src[i] == TRACE_REG_NONE ? 0 : 1;
	}
	if (!(insn.flags & INSN_MEMORY))
		insn.width_bytes = 0;
	*has_memory = insn.flags & INSN_MEMORY;
	return trace_writer_insn(w, &insn, "FUZZ");
}

static bool add_steps(struct trace_writer *w, struct input *in, const uint32_t *insn, const bool *has_memory,
                      uint64_t *total, struct error *err)
{
	for (unsigned steps = take(in) % 40; steps && *total < STEPS_MAX; steps--) {
		unsigned i = take(in) % INSNS;
		uint64_t mask = take(in) & 1 ? UINT32_MAX : take32(in), address[64];
		uint64_t base = (uint64_t)take32(in) << (take(in) % 24);
		for (unsigned k = 0; k < 64; k++)
			address[k] = base + k * (uint64_t)(take(in) & 3 ? 4 : take32(in));
		if (!trace_writer_step(w, insn[i], mask, has_memory[i] && mask ? address : NULL, err))
			return false;
		++*total;
	}
	return true;
}

static bool add_kernel(struct trace_writer *w, struct input *in, uint64_t *total, struct error *err)
{
	struct trace_kernel kernel = {.name = "fuzz",
	                              .id = 1,
	                              .grid = {1 + take(in) % CTAS_MAX, 1, 1},
	                              .block = {1 + take(in) % 96, 1, 1},
	                              .warp_size = 32,
	                              .registers_per_thread = take(in),
	                              .shared_bytes = take32(in) % 50000,
	                              .shared_window = UINT64_C(1) << 40,
	                              .local_window = UINT64_C(1) << 41};
	kernel.warps_per_cta = (kernel.block.x + 31) / 32;
	uint32_t insn[INSNS];
	bool has_memory[INSNS];
	if (!trace_writer_begin_kernel(w, &kernel, err))
		return false;
	for (uint32_t i = 0; i < INSNS; i++)
		insn[i] = add_insn(w, in, i, &has_memory[i]);
	for (uint64_t cta = 0; cta < kernel.grid.x && in->left; cta++) {
		if (!(take(in) % 8))
			continue; /* left out */
		if (!trace_writer_begin_cta(w, cta, err))
			return false;
		for (uint32_t warp = 0; warp < kernel.warps_per_cta; warp++)
			if (take(in) % 8 && (!trace_writer_begin_warp(w, warp, err) ||
			                     !add_steps(w, in, insn, has_memory, total, err)))
				return false;
		if (!trace_writer_end_cta(w, err))
			return false;
	}
	return trace_writer_end_kernel(w, err);
}

static const char *const policies[] = {"gto",  "lrr", "ccws",   "swl",       "ciao-c", "osm",        "lcm",
                                       "rrip", "min", "dwt-cs", "unbounded", "mrpb",   "bypass-all", "dbsa"};
enum { POLICIES = sizeof policies / sizeof *policies };

/* Made once: reading a machine takes longer than simulating these traces. */
static const struct config *config_of(unsigned policy)
{
	static const char *const changes[] = {"sm.count=2",         "sm.gpcs=1",
	                                      "sm.sms_per_tpc=1",   "l1d.sets=4",
	                                      "l1d.mshr_entries=2", "sim.watchdog_cycles=200000"};
	static struct config configs[POLICIES];
	static bool is_made[POLICIES];
	struct error err = {""};
	if (!is_made[policy] && !config_load(&configs[policy], "gtx480-ciao", policies[policy], changes,
	                                     sizeof changes / sizeof *changes, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	is_made[policy] = true;
	return &configs[policy];
}

static void simulate(const struct trace *trace, unsigned policy, uint64_t total)
{
	struct error err = {""};
	struct run_result result;
	const struct run_options options = {.threads = 1};
	if (!run_trace(config_of(policy), trace, &options, &result, &err)) {
		if (!err.text[0])
			abort();
	} else if (result.status == LAUNCH_DONE && result.total.value[COUNT_warp_insns] != total) {
		abort();
	}
	run_result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[64];
	struct input in = {data, size};
	struct error err = {""};
	uint64_t total = 0;
	snprintf(path, sizeof path, "/dev/shm/sluice-fuzz-sim-%d", (int)getpid());
	unsigned policy = take(&in) % POLICIES;
	struct trace_writer *w = trace_writer_new(path, &err);
	if (!w)
		abort();
	if (!add_kernel(w, &in, &total, &err)) {
		trace_writer_abort(w);
		return 0;
	}
	if (!trace_writer_finish(w, &err))
		abort();
	struct trace *trace = trace_open(path, &err);
	unlink(path);
	if (!trace)
		abort();
	simulate(trace, policy, total);
	trace_close(trace);
	return 0;
}
