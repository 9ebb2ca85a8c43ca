/* What a trace holds: its launches, and the instructions of each class that they execute. */
#include "report/trace_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/memory.h"
#include "run/run.h"
#include "trace/poll.h"

static bool count_cta(struct trace_reader *r, const struct trace_kernel *k, struct warp_cursor *cursors,
                      struct trace_counts *counts, uint64_t *waits, struct error *err)
{
	for (uint32_t w = 0; w < k->warps_per_cta; w++) {
		struct warp_step step;
		enum cursor_result result;
		while ((result = cursor_next(r, k, &cursors[w], &step, err)) == CURSOR_STEP) {
			counts->warp_insns[k->insns[step.insn].op]++;
			counts->lane_insns[k->insns[step.insn].op] +=
			    (uint64_t)__builtin_popcountll(step.mask);
			*waits += step_take_needed(&step, k->insns[step.insn].flags) != 0;
		}
		if (result == CURSOR_ERROR)
			return false;
	}
	return true;
}

static bool count_kernel(struct trace_reader *r, const struct trace *t, unsigned index,
                         struct trace_counts *counts, struct error *err)
{
	const struct trace_kernel *k = trace_kernel_at(t, index);
	uint8_t *buffer = memory_zeroed(cta_buffer_bytes(k), 1);
	struct warp_cursor *cursors = memory_zeroed(k->warps_per_cta, sizeof *cursors);
	bool ok = true;
	for (uint64_t cta = 0; ok && cta < k->cta_count; cta++)
		ok = trace_read_cta(r, index, cta, buffer, cursors, err) &&
		     count_cta(r, k, cursors, counts, &counts->waits[index], err);
	free(buffer);
	free(cursors);
	return ok;
}

bool trace_count(const struct trace *t, struct trace_counts *counts, struct error *err)
{
	struct trace_reader *r = trace_reader_new(t, err);
	bool ok = r != NULL;
	counts->waits = memory_zeroed(trace_kernel_count(t), sizeof *counts->waits);
	for (unsigned i = 0; ok && i < trace_kernel_count(t); i++)
		ok = count_kernel(r, t, i, counts, err);
	trace_reader_free(r);
	return ok;
}

static double per_insn(uint64_t bytes, uint64_t insns)
{
	return insns ? (double)bytes / (double)insns : 0;
}

static void print_kernels(FILE *out, const struct trace *t)
{
	fprintf(out, "%6s %18s %14s %5s %7s %12s %7s %11s %7s  %s\n", "kernel", "grid", "block", "regs",
	        "shared", "warp insns", "static", "bytes", "B/insn", "name");
	for (unsigned i = 0; i < trace_kernel_count(t); i++) {
		const struct trace_kernel *k = trace_kernel_at(t, i);
		char grid[40], block[40];
		snprintf(grid, sizeof grid, "(%u,%u,%u)", k->grid.x, k->grid.y, k->grid.z);
		snprintf(block, sizeof block, "(%u,%u,%u)", k->block.x, k->block.y, k->block.z);
		uint64_t bytes = trace_kernel_bytes(t, i);
		fprintf(out, "%6u %18s %14s %5u %7u %12" PRIu64 " %7u %11" PRIu64 " %7.3f  %s\n", k->id, grid,
		        block, k->registers_per_thread, k->shared_bytes, k->warp_insns, k->insn_count, bytes,
		        per_insn(bytes, k->warp_insns), k->name);
	}
}

static void print_classes(FILE *out, const struct trace_counts *c, uint64_t total)
{
	fprintf(out, "\n%-12s %14s %7s %16s  %s\n", "class", "warp insns", "share", "lane insns", "covers");
	for (unsigned op = 0; op < OP_COUNT; op++)
		if (c->warp_insns[op])
			fprintf(out, "%-12s %14" PRIu64 " %6.2f%% %16" PRIu64 "  %s\n", op_class_name(op),
			        c->warp_insns[op], 100.0 * (double)c->warp_insns[op] / (double)total,
			        c->lane_insns[op], op_class_doc(op));
}

/* A line for each launch that waits. */
static void print_waits(FILE *out, const struct trace *t, const struct trace_counts *c)
{
	for (unsigned i = 0; i < trace_kernel_count(t); i++) {
		const struct trace_kernel *k = trace_kernel_at(t, i);
		if (c->waits[i] || k->watched_count)
			fprintf(out, "kernel %u waits %" PRIu64 " times for writes of %u words\n", k->id,
			        c->waits[i], k->watched_count);
	}
}

void trace_report_print(FILE *out, const struct trace *t, const struct trace_counts *c)
{
	uint64_t insns = run_count_insns(t, NULL);
	const struct trace_copy *copies;
	print_kernels(out, t);
	print_classes(out, c, insns);
	fprintf(out,
	        "\n%u launches, %zu copies to the device, %" PRIu64 " warp instructions, %" PRIu64
	        " bytes (%.3f per instruction)\n",
	        trace_kernel_count(t), trace_copies(t, &copies), insns, trace_file_bytes(t),
	        per_insn(trace_file_bytes(t), insns));
	print_waits(out, t, c);
	for (unsigned i = 0; trace_warning(t, i); i++)
		fprintf(out, "warning: %s\n", trace_warning(t, i));
}

static json_t *kernel_json(const struct trace *t, const struct trace_counts *c, unsigned index)
{
	const struct trace_kernel *k = trace_kernel_at(t, index);
	return json_pack(
	    "{s:I, s:o, s:[I,I,I], s:[I,I,I], s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "id",
	    (json_int_t)k->id, "name", json_text(k->name), "grid", (json_int_t)k->grid.x,
	    (json_int_t)k->grid.y, (json_int_t)k->grid.z, "block", (json_int_t)k->block.x,
	    (json_int_t)k->block.y, (json_int_t)k->block.z, "stream", (json_int_t)k->stream, "warp_size",
	    (json_int_t)k->warp_size, "warps_per_cta", (json_int_t)k->warps_per_cta, "registers_per_thread",
	    (json_int_t)k->registers_per_thread, "shared_bytes", (json_int_t)k->shared_bytes,
	    "binary_version", (json_int_t)k->binary_version, "warp_insns", (json_int_t)k->warp_insns,
	    "static_insns", (json_int_t)k->insn_count, "bytes", (json_int_t)trace_kernel_bytes(t, index),
	    "waits", (json_int_t)c->waits[index], "watched_words", (json_int_t)k->watched_count);
}

static json_t *classes_json(const struct trace_counts *c)
{
	json_t *classes = json_object();
	for (unsigned op = 0; op < OP_COUNT; op++)
		if (c->warp_insns[op])
			json_object_set_new(classes, op_class_name(op),
			                    json_pack("{s:I, s:I}", "warp_insns",
			                              (json_int_t)c->warp_insns[op], "lane_insns",
			                              (json_int_t)c->lane_insns[op]));
	return classes;
}

char *trace_report_json(const struct trace *t, const struct trace_counts *c)
{
	json_t *kernels = json_array(), *warnings = json_array();
	for (unsigned i = 0; i < trace_kernel_count(t); i++)
		json_array_append_new(kernels, kernel_json(t, c, i));
	for (unsigned i = 0; trace_warning(t, i); i++)
		json_array_append_new(warnings, json_text(trace_warning(t, i)));
	const struct trace_copy *copies;
	return json_finish(json_pack("{s:o, s:I, s:I, s:I, s:o, s:o, s:o}", "path", json_text(trace_path(t)),
	                             "bytes", (json_int_t)trace_file_bytes(t), "warp_insns",
	                             (json_int_t)run_count_insns(t, NULL), "copies",
	                             (json_int_t)trace_copies(t, &copies), "kernels", kernels, "classes",
	                             classes_json(c), "warnings", warnings));
}
