/* Reports of what a kernel did wrong: where it was, which lanes, which address, and what is near it. */
#include <stdarg.h>
#include <stdio.h>

#include "cuda/executor/access.h"
#include "cuda/executor/mask.h"

struct text {
	char at[1000];
	size_t used;
};

static void __attribute__((format(printf, 2, 3))) text_add(struct text *t, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(t->at + t->used, sizeof t->at - t->used, fmt, args);
	va_end(args);
	size_t room = sizeof t->at - t->used - 1;
	t->used += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

static const char *source_name(const struct ptx_module *m, uint32_t file)
{
	return file < m->source_count ? m->sources[file] : NULL;
}

/* The last line of the kernel's own file before an instruction that was inlined from another; 0: none. */
static uint32_t own_line(const struct run *run, uint32_t insn, uint32_t *file)
{
	const struct ptx_module *m = run->kernel->module->ptx;
	const struct ptx_function *f = &m->functions[run->launch->entry];
	uint32_t first = f->first_insn, end = f->first_insn + f->insn_count, line = 0;
	while (first < end && !m->insns[first].source_line)
		first++;
	if (first == end || insn < first || insn >= end)
		return 0;
	*file = m->insns[first].source_file;
	for (uint32_t i = first; i <= insn; i++)
		if (m->insns[i].source_file == *file && m->insns[i].source_line)
			line = m->insns[i].source_line;
	return m->insns[insn].source_file == *file ? 0 : line;
}

/* "kernel k, a.cu:12, 'ld.global.f32 %f1, [%rd4]', CTA (0,0,0), warp 1, lanes 0x3" */
static void text_place(struct text *t, const struct run *run, const struct warp *w, const struct code *op,
                       uint64_t mask)
{
	const struct ptx_module *m = run->kernel->module->ptx;
	const struct ptx_insn *insn = &m->insns[op->insn];
	char ptx[200];
	text_add(t, "kernel %s", m->functions[run->launch->entry].name);
	if (insn->source_line && source_name(m, insn->source_file))
		text_add(t, ", %s:%u", source_name(m, insn->source_file), insn->source_line);
	else
		text_add(t, ", PTX line %u", insn->line);
	uint32_t file = 0, line = own_line(run, op->insn, &file);
	if (line && source_name(m, file))
		text_add(t, " behind %s:%u", source_name(m, file), line);
	ptx_print(m, op->insn, ptx, sizeof ptx);
	text_add(t, ", '%s', CTA (%u,%u,%u), warp %u, lanes 0x%llx", ptx, w->cta->id[0], w->cta->id[1],
	         w->cta->id[2], w->index, (unsigned long long)mask);
}

bool fault_at(struct run *run, const struct warp *w, const struct code *op, uint64_t mask,
              enum exec_status status, const char *fmt, ...)
{
	struct text t = {.used = 0};
	char what[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(what, sizeof what, fmt, args);
	va_end(args);
	text_place(&t, run, w, op, mask);
	run->status = status;
	return error_set(run->report, "%s: %s", what, t.at);
}

/* ---- addresses ---------------------------------------------------------------------------------------- */

/* Allocations start at multiples of this, so looking there finds each. */
enum { LOOK_STEP = 512, LOOK_STEPS = 8192 };

static void text_global(struct text *t, const struct run *run, uint64_t at)
{
	struct memory_range r;
	uint64_t from = at / LOOK_STEP * LOOK_STEP;
	if (at < LOOK_STEP * 2) {
		text_add(t, "a null pointer");
		return;
	}
	for (unsigned i = 0; i < LOOK_STEPS && from >= (uint64_t)i * LOOK_STEP; i++) {
		if (device_memory_find(run->memory, from - (uint64_t)i * LOOK_STEP, &r) && r.first <= at) {
			text_add(t, "%llu bytes past the end of an allocation of %llu bytes at 0x%llx",
			         (unsigned long long)(at < r.end ? 0 : at - r.end),
			         (unsigned long long)(r.end - r.first), (unsigned long long)r.first);
			return;
		}
		if (device_memory_find(run->memory, from + (uint64_t)i * LOOK_STEP, &r) && r.first > at) {
			text_add(t, "%llu bytes before an allocation of %llu bytes at 0x%llx",
			         (unsigned long long)(r.first - at), (unsigned long long)(r.end - r.first),
			         (unsigned long long)r.first);
			return;
		}
	}
	text_add(t, "no allocation is near");
}

static bool lane_is_bad(const struct run *run, const struct access *a, uint64_t at, enum ptx_space space,
                        enum exec_status status)
{
	struct memory_range r;
	uint64_t limit = space == PTX_SPACE_shared ? run->shared_bytes : run->kernel->local_limit;
	if (status == EXEC_MISALIGNED)
		return at & (a->bytes - 1u);
	if (space == PTX_SPACE_global)
		return !device_memory_find(run->memory, at, &r) || r.end - at < a->bytes;
	at -= a->space == PTX_SPACE_generic && space == PTX_SPACE_local ? LOCAL_WINDOW : 0;
	return space == PTX_SPACE_param || at > limit || limit - at < a->bytes;
}

bool fault_access(struct run *run, const struct warp *w, const struct code *op, const struct access *a,
                  const uint64_t *address, uint64_t mask, enum ptx_space space, enum exec_status status)
{
	struct text t = {.used = 0};
	uint64_t bad = 0;
	for (uint64_t left = mask; left; left &= left - 1)
		if (lane_is_bad(run, a, address[bits_lowest(left)], space, status))
			bad |= left & -left;
	unsigned lane = bits_lowest(bad ? bad : mask);
	uint64_t at = address[lane];
	if (a->space == PTX_SPACE_const)
		space = PTX_SPACE_const;
	text_add(&t, "%s address of a %u-byte %s %s: lane %u at 0x%llx, ",
	         status == EXEC_MISALIGNED ? "misaligned" : "illegal", a->bytes, ptx_space_name(space),
	         a->is_atomic  ? "atomic"
	         : a->is_store ? "store"
	                       : "load",
	         lane, (unsigned long long)at);
	if (status == EXEC_MISALIGNED)
		text_add(&t, "not a multiple of %u", a->bytes);
	else if (space == PTX_SPACE_global || space == PTX_SPACE_const)
		text_global(&t, run, at);
	else if (space == PTX_SPACE_shared)
		text_add(&t, "the CTA has %u bytes", run->shared_bytes);
	else
		text_add(&t, "the thread has %llu bytes", (unsigned long long)run->kernel->local_limit);
	text_add(&t, "; ");
	text_place(&t, run, w, op, bad ? bad : mask);
	run->status = status;
	return error_set(run->report, "%s", t.at);
}
