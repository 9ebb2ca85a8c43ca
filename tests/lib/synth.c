#include "lib/synth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/poll.h"

struct synth {
	struct trace_writer *writer;
	char path[256];
	bool in_kernel, in_cta;
	uint64_t cta;
};

static void check(bool ok, const struct error *err)
{
	if (ok)
		return;
	fprintf(stderr, "synthetic trace: %s\n", err->text);
	exit(1);
}

struct synth *synth_new(void)
{
	static unsigned made;
	struct error err;
	struct synth *s = calloc(1, sizeof *s);
	const char *tmp = getenv("TMPDIR");
	snprintf(s->path, sizeof s->path, "%s/sluice-synth-%ld-%u", tmp ? tmp : "/tmp", (long)getpid(),
	         made++);
	s->writer = trace_writer_new(s->path, &err);
	check(s->writer, &err);
	return s;
}

static void end_cta(struct synth *s)
{
	struct error err;
	if (s->in_cta)
		check(trace_writer_end_cta(s->writer, &err), &err);
	s->in_cta = false;
}

static void end_kernel(struct synth *s)
{
	struct error err;
	end_cta(s);
	if (s->in_kernel)
		check(trace_writer_end_kernel(s->writer, &err), &err);
	s->in_kernel = false;
}

void synth_kernel(struct synth *s, const struct synth_shape *shape)
{
	struct error err;
	uint32_t warp_size = shape->warp_size ? shape->warp_size : 32;
	struct trace_kernel k = {.name = shape->name,
	                         .grid = {shape->ctas, 1, 1},
	                         .block = {shape->warps * warp_size, 1, 1},
	                         .warp_size = warp_size,
	                         .warps_per_cta = shape->warps,
	                         .registers_per_thread = shape->registers ? shape->registers : 16,
	                         .shared_bytes = shape->shared_bytes,
	                         .binary_version = 70,
	                         .shared_window = UINT64_C(0x7f0000000000),
	                         .local_window = UINT64_C(0x7f4000000000)};
	end_kernel(s);
	check(trace_writer_begin_kernel(s->writer, &k, &err), &err);
	s->in_kernel = true;
}

void synth_warp(struct synth *s, uint64_t cta, uint32_t warp)
{
	struct error err;
	if (!s->in_cta || s->cta != cta) {
		end_cta(s);
		check(trace_writer_begin_cta(s->writer, cta, &err), &err);
		s->in_cta = true;
		s->cta = cta;
	}
	check(trace_writer_begin_warp(s->writer, warp, &err), &err);
}

/* The class's name, but where the model looks for more: operations on mbarriers. */
static const char *mnemonic_of(const struct trace_insn *insn)
{
	if (insn->space == SPACE_SHARED && insn->op == OP_ATOMIC && insn->flags & INSN_SETS_PREDICATE)
		return insn->flags & INSN_PHASE_WAIT ? "SYNCS.PHASECHK.TRANS64.TRYWAIT"
		                                     : "SYNCS.ARRIVE.TRANS64";
	if (insn->space == SPACE_SHARED && insn->op == OP_REDUCE && insn->width_bytes == 8)
		return "ARRIVES.LDGSTSBAR.64";
	return op_class_name((enum op_class)insn->op);
}

static uint32_t index_of_insn(struct synth *s, const struct trace_insn *insn)
{
	return trace_writer_insn(s->writer, insn, mnemonic_of(insn));
}

void synth_plain(struct synth *s, struct trace_insn insn, uint64_t mask)
{
	struct error err;
	check(trace_writer_step(s->writer, index_of_insn(s, &insn), mask, NULL, &err), &err);
}

void synth_stride(struct synth *s, struct trace_insn insn, uint64_t mask, uint64_t base, int64_t stride)
{
	struct error err;
	check(trace_writer_step_stride(s->writer, index_of_insn(s, &insn), mask, base, stride, &err), &err);
}

void synth_list(struct synth *s, struct trace_insn insn, uint64_t mask, const uint64_t *address)
{
	struct error err;
	check(trace_writer_step(s->writer, index_of_insn(s, &insn), mask, address, &err), &err);
}

struct trace *synth_finish(struct synth *s)
{
	struct error err;
	end_kernel(s);
	check(trace_writer_finish(s->writer, &err), &err);
	struct trace *trace = trace_open(s->path, &err);
	check(trace, &err);
	unlink(s->path);
	free(s);
	return trace;
}

/* ---- waits for memory ------------------------------------------------------------------------------------ */

static struct trace_insn polls(uint32_t at, enum op_class op, uint32_t flags)
{
	struct trace_insn insn = synth_memory(at, op, SPACE_GLOBAL, 4, 4, 2);
	insn.flags |= INSN_POLL | INSN_BYPASS_L1 | flags;
	insn.round = 4;
	return insn;
}

void synth_poll(struct synth *s, uint32_t at, uint64_t mask, uint64_t address, int64_t stride,
                uint32_t needed)
{
	synth_stride(s, polls(at, OP_LOAD, 0), mask, address_with_needed(address, poll_needed(needed)),
	             stride);
}

void synth_poll_atomic(struct synth *s, uint32_t at, uint64_t mask, uint64_t address, uint32_t needed)
{
	synth_stride(s, polls(at, OP_ATOMIC, INSN_CAS), mask,
	             address_with_needed(address, poll_needed(needed)), 0);
}

void synth_watch(struct synth *s, const uint64_t *address, uint32_t count)
{
	trace_writer_watch(s->writer, address, count);
}

/* ---- mbarriers ----------------------------------------------------------------------------------------- */

static struct trace_insn on_mbarrier(uint32_t at, enum op_class op, unsigned flags)
{
	struct trace_insn insn = synth_memory(at, op, SPACE_SHARED, 8, 0, 2);
	insn.flags |= flags;
	return insn;
}

void synth_phase_wait(struct synth *s, uint32_t at, uint64_t mask, uint64_t object,
                      struct phase_counts counts)
{
	synth_stride(s, on_mbarrier(at, OP_ATOMIC, INSN_PHASE_WAIT | INSN_SETS_PREDICATE), mask,
	             address_with_phase(object, counts), 0);
}

void synth_change(struct synth *s, uint32_t at, uint64_t mask, uint64_t object)
{
	synth_stride(s, on_mbarrier(at, OP_ATOMIC, INSN_SETS_PREDICATE), mask, object, 0);
}

void synth_copy_arrive(struct synth *s, uint32_t at, uint64_t mask, uint64_t object)
{
	synth_stride(s, on_mbarrier(at, OP_REDUCE, 0), mask, object, 0);
}

void synth_copy(struct synth *s, uint32_t at, uint64_t mask, uint64_t address)
{
	struct trace_insn insn = synth_memory(at, OP_LOAD, SPACE_GLOBAL, 16, 0, 2);
	insn.flags |= INSN_ASYNC_COPY;
	synth_stride(s, insn, mask, address, 16);
}

void synth_bulk(struct synth *s, uint32_t at, uint64_t address, uint64_t object)
{
	struct trace_insn insn = synth_memory(at, OP_LOAD, SPACE_GLOBAL, 16, 0, 2);
	insn.flags |= INSN_ASYNC_COPY | INSN_BULK | INSN_BYPASS_L1;
	synth_stride(s, insn, UINT32_MAX, address_with_object(address, object / MBARRIER_BYTES + 1), 16);
}

/* ---- static instructions ------------------------------------------------------------------------------- */

static void add_source(struct trace_insn *insn, uint8_t reg, uint8_t span)
{
	if (!reg)
		return;
	insn->src[insn->src_count] = reg;
	insn->src_span[insn->src_count++] = span;
}

struct trace_insn synth_op(uint32_t at, enum op_class op, uint8_t dst, uint8_t src)
{
	struct trace_insn insn = {.pc = 16 * (uint64_t)at, .op = (uint8_t)op, .dst = TRACE_REG_NONE};
	if (dst) {
		insn.dst = dst;
		insn.dst_span = 1;
	}
	add_source(&insn, src, 1);
	return insn;
}

struct trace_insn synth_memory(uint32_t at, enum op_class op, enum mem_space space, uint8_t width,
                               uint8_t reg, uint8_t pointer)
{
	uint8_t span = width > 4 ? width / 4 : 1;
	bool returns = op != OP_STORE && op != OP_REDUCE;
	struct trace_insn insn = synth_op(at, op, returns ? reg : 0, pointer);
	insn.space = (uint8_t)space;
	insn.width_bytes = width;
	insn.flags = INSN_MEMORY;
	if (returns && reg)
		insn.dst_span = span;
	if (!returns)
		add_source(&insn, reg, span);
	return insn;
}

struct trace_insn synth_load(uint32_t at, uint8_t reg, uint8_t pointer)
{
	return synth_memory(at, OP_LOAD, SPACE_GLOBAL, 4, reg, pointer);
}

uint64_t synth_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t synth_lanes(uint32_t warp_size)
{
	return warp_size == 64 ? UINT64_MAX : UINT32_MAX;
}
