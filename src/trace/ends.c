#include "trace/ends.h"

#include <stdlib.h>

#include "base/memory.h"

struct walk {
	const struct trace *trace;
	struct trace_reader *reader;
	struct warp_cursor *cursors;
	uint8_t *buffer;
	struct end_counts *counts;
	void (*found)(const struct end_report *report, void *arg);
	void *arg;
	struct error *err;
};

/* Lanes that hold a thread; the block's last warp may not be full. */
static uint64_t lanes_of(const struct trace_kernel *k, uint32_t warp)
{
	uint64_t threads = (uint64_t)k->block.x * k->block.y * k->block.z,
	         first = (uint64_t)warp * k->warp_size;
	uint64_t lanes = threads > first ? threads - first : 0;
	if (lanes >= k->warp_size)
		lanes = k->warp_size;
	return lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
}

/* Return whether the step is wrong; `report` gets the error. */
static bool is_wrong(const struct trace_kernel *k, const struct warp_step *step, uint64_t *ended,
                     struct end_report *report)
{
	const struct trace_insn *insn = &k->insns[step->insn];
	uint64_t again = step->mask & *ended;
	if (insn->op == OP_EXIT)
		*ended |= step->mask;
	if (!again)
		return false;
	report->fault = insn->op == OP_EXIT ? END_TWICE : END_AFTER;
	report->lanes = again;
	report->mnemonic = trace_mnemonic(k, insn);
	report->pc = insn->pc;
	return true;
}

static bool walk_warp(struct walk *w, struct end_report *report)
{
	const struct trace_kernel *k = trace_kernel_at(w->trace, report->kernel);
	struct warp_cursor *cursor = &w->cursors[report->warp];
	struct warp_step step;
	uint64_t ended = 0;
	bool wrong = false;
	enum cursor_result r;
	while (!wrong && (r = cursor_next(w->reader, k, cursor, &step, w->err)) != CURSOR_END) {
		if (r == CURSOR_ERROR)
			return false;
		wrong = is_wrong(k, &step, &ended, report);
	}
	report->lanes = wrong ? report->lanes : lanes_of(k, report->warp) & ~ended;
	w->counts->warps++;
	if (report->lanes)
		w->counts->wrong++;
	if (report->lanes && w->found)
		w->found(report, w->arg);
	return true;
}

static bool walk_launch(struct walk *w, uint32_t index)
{
	const struct trace_kernel *k = trace_kernel_at(w->trace, index);
	w->buffer = memory_grow(w->buffer, cta_buffer_bytes(k), 1);
	for (uint64_t cta = 0; cta < k->cta_count; cta++) {
		if (!trace_read_cta(w->reader, index, cta, w->buffer, w->cursors, w->err))
			return false;
		for (uint32_t warp = 0; warp < k->warps_per_cta; warp++) {
			struct end_report report = {.fault = END_NEVER,
			                            .kernel = index,
			                            .warp = warp,
			                            .cta = cta,
			                            .mnemonic = "the stream's end"};
			if (!walk_warp(w, &report))
				return false;
		}
	}
	return true;
}

bool trace_check_ends(const struct trace *trace, struct end_counts *counts,
                      void (*found)(const struct end_report *report, void *arg), void *arg, struct error *err)
{
	struct walk w = {.trace = trace, .counts = counts, .found = found, .arg = arg, .err = err};
	w.reader = trace_reader_new(trace, err);
	if (!w.reader)
		return false;
	w.cursors = memory_zeroed(TRACE_MAX_WARPS, sizeof *w.cursors);
	bool ok = true;
	for (uint32_t i = 0; ok && i < trace_kernel_count(trace); i++)
		ok = walk_launch(&w, i);
	free(w.cursors);
	free(w.buffer);
	trace_reader_free(w.reader);
	return ok;
}
