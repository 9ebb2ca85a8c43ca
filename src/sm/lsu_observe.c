/* Accesses to on-chip shared memory, for observers alone: they see each line of an instruction once. */
#include "base/bits.h"
#include "sm/l1.h"
#include "sm/lsu.h"

/* Tells observers of a line of shared memory. */
static __attribute__((noinline)) void show_line(struct lsu *lsu, const struct mem_insn *mem, uint64_t line,
                                                uint32_t what, cycle_t now)
{
	struct l1_request about = {.cycle = now,
	                           .line = line,
	                           .pc = lsu->launch->insn[mem->insn].pc,
	                           .sm = lsu->l1->sm,
	                           .warp = mem->warp,
	                           .cta = (uint32_t)(line >> 32),
	                           .space = POLICY_SHARED,
	                           .is_store = what == WATCHED_WRITE,
	                           .is_atomic = what == (WATCHED_READ | WATCHED_WRITE)};
	hooks_smem_route(lsu->hooks, &about);
}

/* Of `count` lines from `line` on. Generic addresses of shared memory have its offset below. */
static inline void show_lines(struct lsu *lsu, const struct mem_insn *mem, uint64_t line, uint32_t count,
                              uint32_t what, cycle_t now)
{
	enum { GENERIC_WINDOW = 1 << 24 };
	line &= GENERIC_WINDOW / lsu->machine->l1d_line_bytes - 1;
	line |= (uint64_t)warps_cta_slot(lsu->warps, mem->warp) << 32;
	if (lsu->hooks->watch_shared)
		lsu->hooks->watch_shared(lsu->hooks->watch_shared_self, line, count, what, now);
	else
		for (uint32_t i = 0; i < count; i++)
			show_line(lsu, mem, line + i, what, now);
}

static __attribute__((noinline)) void show_lanes(struct lsu *lsu, const struct mem_insn *mem,
                                                 const uint64_t *address, uint32_t lanes, uint32_t what,
                                                 cycle_t now)
{
	uint32_t shift = bits_log2_up(lsu->machine->l1d_line_bytes);
	uint64_t last = UINT64_MAX, seen = 0; /* of lines 64 apart, one is as good as another */
	for (uint32_t i = 0; i < lanes; i++) {
		uint64_t line = address[i] >> shift;
		if (line == last)
			continue;
		last = line;
		if (!(seen >> line % 64 & 1))
			show_lines(lsu, mem, line, 1, what, now);
		seen |= (uint64_t)1 << line % 64;
	}
}

/* Nobody but observers want to know of accesses to shared memory: they see each line once. */
void lsu_show_shared(struct lsu *lsu, const struct mem_insn *mem, const struct warp_step *step, cycle_t now)
{
	const struct decoded *insn = &lsu->launch->insn[mem->insn];
	uint32_t what = insn->op == OP_STORE                             ? WATCHED_WRITE
	                : insn->op == OP_ATOMIC || insn->op == OP_REDUCE ? WATCHED_READ | WATCHED_WRITE
	                                                                 : WATCHED_READ;
	int64_t lanes = bits_count(step->mask), size = lsu->machine->l1d_line_bytes;
	if (step->kind == ADDR_LIST || !lanes) {
		show_lanes(lsu, mem, coalesce_shared_lanes(lsu->coalescer), (uint32_t)lanes, what, now);
		return;
	}
	uint32_t shift = bits_log2_up((uint64_t)size);
	uint64_t last = step->base + (uint64_t)(lanes - 1) * (uint64_t)step->stride;
	uint64_t low = (step->stride < 0 ? last : step->base) >> shift;
	uint64_t high = (step->stride < 0 ? step->base : last) >> shift;
	/* Neighbours leave no line out; the order of a damaged trace may be another. */
	if (step->stride >= -size && step->stride <= size && low <= high) {
		show_lines(lsu, mem, low, (uint32_t)(high - low + 1), what, now);
		return;
	}
	uint64_t address[TRACE_MAX_LANES];
	show_lanes(lsu, mem, address, step_addresses(step, address), what, now);
}
