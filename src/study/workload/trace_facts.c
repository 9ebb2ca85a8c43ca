/*
 * What a trace says of a workload without being simulated. The footprint is that of the first SM if CTAs are dealt out
 * to SMs in turn, in the launch with the most instructions; the dispatcher deals by load, so it is an estimate.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "gpu/gpu.h"
#include "gpu/occupancy.h"
#include "run/run.h"
#include "study/workload/measure.h"
#include "trace/mbarrier.h"

enum { LINE_SHIFT = 7 };

/* ---- lines seen ---------------------------------------------------------------------------------------------- */

/* A set of line numbers: open addressing, 0 is empty, at most half full. */
struct lines {
	uint64_t *slot;
	size_t room, count; /* room: a power of two */
};

static void lines_put(struct lines *lines, uint64_t line)
{
	size_t at = (line * 0x9e3779b97f4a7c15u >> 20) & (lines->room - 1);
	while (lines->slot[at] && lines->slot[at] != line)
		at = (at + 1) & (lines->room - 1);
	lines->count += !lines->slot[at];
	lines->slot[at] = line;
}

static void lines_add(struct lines *lines, uint64_t line)
{
	if (2 * lines->count >= lines->room) {
		struct lines larger = {.room = lines->room ? 2 * lines->room : 4096};
		larger.slot = memory_zeroed(larger.room, sizeof *larger.slot);
		for (size_t i = 0; i < lines->room; i++)
			if (lines->slot[i])
				lines_put(&larger, lines->slot[i]);
		free(lines->slot);
		*lines = larger;
	}
	lines_put(lines, line + 1); /* 0 is taken */
}

/* ---- footprint ----------------------------------------------------------------------------------------------- */

static bool is_cached_space(const struct trace_insn *insn)
{
	return insn->space == SPACE_GLOBAL || insn->space == SPACE_LOCAL || insn->space == SPACE_GENERIC ||
	       insn->space == SPACE_TEXTURE;
}

static void add_step(struct lines *lines, const struct trace_kernel *kernel, struct warp_step *step)
{
	const struct trace_insn *insn = &kernel->insns[step->insn];
	uint64_t address[TRACE_MAX_LANES];
	if (step->kind == ADDR_NONE || !is_cached_space(insn))
		return;
	step_take_mark(step, insn->flags);
	unsigned lanes = step_addresses(step, address);
	for (unsigned i = 0; i < lanes; i++)
		lines_add(lines, address[i] >> LINE_SHIFT);
}

static bool add_cta(struct lines *lines, struct trace_reader *reader, const struct trace_kernel *kernel,
                    unsigned launch, uint64_t cta, uint8_t *buffer, struct error *err)
{
	struct warp_cursor cursor[TRACE_MAX_WARPS];
	struct warp_step step;
	if (!trace_read_cta(reader, launch, cta, buffer, cursor, err))
		return false;
	for (uint32_t warp = 0; warp < kernel->warps_per_cta; warp++) {
		enum cursor_result next;
		while ((next = cursor_next(reader, kernel, &cursor[warp], &step, err)) == CURSOR_STEP)
			add_step(lines, kernel, &step);
		if (next == CURSOR_ERROR)
			return false;
	}
	return true;
}

static bool count_footprint(const struct trace *trace, unsigned launch, uint32_t sms, double *kilobytes,
                            struct error *err)
{
	const struct trace_kernel *kernel = trace_kernel_at(trace, launch);
	struct trace_reader *reader = trace_reader_new(trace, err);
	struct lines lines = {.count = 0};
	uint8_t *buffer = memory_zeroed(cta_buffer_bytes(kernel) + 1, 1);
	bool ok = reader != NULL;
	for (uint64_t cta = 0; ok && cta < kernel->cta_count; cta += sms)
		ok = add_cta(&lines, reader, kernel, launch, cta, buffer, err);
	*kilobytes = (double)((uint64_t)lines.count << LINE_SHIFT) / 1024;
	free(lines.slot);
	free(buffer);
	if (reader)
		trace_reader_free(reader);
	return ok;
}

/* ---- launches ------------------------------------------------------------------------------------------------ */

static bool has_barrier(const struct trace_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->insn_count; i++)
		if (kernel->insns[i].op == OP_BARRIER)
			return true;
	return false;
}

/* The launch with the most instructions. */
static unsigned longest(const struct trace *trace)
{
	unsigned best = 0;
	for (unsigned i = 1; i < trace_kernel_count(trace); i++)
		if (trace_kernel_at(trace, i)->warp_insns > trace_kernel_at(trace, best)->warp_insns)
			best = i;
	return best;
}

/* CTAs per SM of a launch, with its shared memory and as if it had none, if it takes more of an SM than those before. */
static bool take_smem(const struct trace_kernel *kernel, const struct machine *machine,
                      const struct chain *chain, struct workload_measured *m, struct error *err)
{
	struct trace_kernel without = *kernel;
	without.shared_bytes = 0;
	uint32_t ctas = occupancy_ctas(machine, chain, kernel, err);
	uint32_t more = occupancy_ctas(machine, chain, &without, err);
	if (!ctas || !more)
		return false;
	if (ctas * (double)kernel->shared_bytes <= m->ctas_per_sm * m->smem_cta_bytes)
		return true;
	m->smem_cta_bytes = kernel->shared_bytes;
	m->ctas_per_sm = ctas;
	m->ctas_without_smem = more;
	m->ctas_given = (double)kernel->cta_count / machine->sm_count;
	return true;
}

static bool measure_smem(const struct trace *trace, const struct machine *machine,
                         struct workload_measured *m, struct error *err)
{
	struct chain *chain = chain_new("gto", machine, err);
	bool ok = chain != NULL;
	m->smem_cta_bytes = m->ctas_per_sm = 0;
	for (unsigned i = 0; ok && i < trace_kernel_count(trace); i++)
		ok = take_smem(trace_kernel_at(trace, i), machine, chain, m, err);
	if (chain)
		chain_free(chain);
	double bytes = m->ctas_per_sm * m->smem_cta_bytes;
	m->value[FACT_F_SMEM_PERCENT] = 100 * bytes / (48 * 1024);
	m->value[FACT_SMEM_KB] = rule_carve_kb(bytes);
	return ok;
}

bool measure_trace(const struct trace *trace, const struct machine *machine, struct workload_measured *m,
                   struct error *err)
{
	m->launches = trace_kernel_count(trace);
	m->insns = (double)run_count_insns(trace, NULL);
	m->value[FACT_BARRIERS] = 0;
	if (trace_kernel_count(trace))
		m->value[FACT_SMS] =
		    fmin(machine->sm_count, (double)trace_kernel_at(trace, longest(trace))->cta_count);
	for (unsigned i = 0; i < trace_kernel_count(trace); i++)
		if (has_barrier(trace_kernel_at(trace, i)))
			m->value[FACT_BARRIERS] = 1;
	if (!trace_kernel_count(trace))
		return error_set(err, "%s: no launch in it", trace_path(trace));
	return measure_smem(trace, machine, m, err) &&
	       count_footprint(trace, longest(trace), machine->sm_count, &m->value[FACT_FOOTPRINT_KB], err);
}
