/*
 * Arbitrary bytes as a .sluice file, with checksums out of the way; and, when
 * the first byte is 'S', as the decoded stream of one warp, which compression
 * would keep out of the fuzzer's reach.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 100000, STREAM_INSNS = 300 };

/* Until the end, an error, or enough. */
static uint64_t drain(struct trace_reader *r, const struct trace_kernel *k, struct warp_cursor *c,
                      uint64_t budget)
{
	struct error err;
	struct warp_step step;
	uint64_t address[TRACE_MAX_LANES];
	while (budget && cursor_next(r, k, c, &step, &err) == CURSOR_STEP) {
		if (step.insn >= k->insn_count || step.mask & ~lanes_mask(k->warp_size))
			abort();
		step_addresses(&step, address);
		budget--;
	}
	return budget;
}

static void read_stream(const uint8_t *data, size_t size)
{
	static struct trace_insn insns[STREAM_INSNS];
	for (unsigned i = 0; i < STREAM_INSNS; i++) {
		insns[i].flags = i % 3 ? 0 : INSN_MEMORY;
		insns[i].slot = format_slot(i / 3);
	}
	struct trace trace = {.path = "stream", .fd = -1};
	struct trace_reader reader = {.trace = &trace};
	struct trace_kernel kernel = {
	    .warp_size = size & 1 ? 64 : 32, .insn_count = STREAM_INSNS, .insns = insns};
	uint8_t *bytes = calloc(1, size + FORMAT_SLACK_BYTES);
	memcpy(bytes, data, size);
	struct warp_cursor cursor = {
	    .left = BUDGET, .mask = lanes_mask(kernel.warp_size), .at = bytes, .end = bytes + size};
	drain(&reader, &kernel, &cursor, UINT64_MAX);
	free(bytes);
}

static void read_trace(struct trace *t)
{
	struct error err;
	struct trace_reader *r = trace_reader_new(t, &err);
	uint64_t budget = BUDGET;
	for (unsigned i = 0; r && budget && i < trace_kernel_count(t); i++) {
		const struct trace_kernel *k = trace_kernel_at(t, i);
		uint8_t *buffer = malloc(cta_buffer_bytes(k));
		struct warp_cursor cursors[64];
		for (uint64_t cta = 0; budget && cta < k->cta_count && cta < 32; cta++)
			if (trace_read_cta(r, i, cta, buffer, cursors, &err))
				for (uint32_t w = 0; w < k->warps_per_cta; w++)
					budget = drain(r, k, &cursors[w], budget);
		free(buffer);
	}
	trace_reader_free(r);
}

/* Makes version and sizes in the header fit, which mutations would break. */
static void mend_header(uint8_t *bytes, size_t size)
{
	memcpy(bytes, FORMAT_MAGIC, 8);
	store_u32(bytes + 8, FORMAT_OLDEST_VERSION + load_u32(bytes + 8) % FORMAT_VERSION);
	store_u64(bytes + 16, size);
	if (load_u64(bytes + 24) <= size)
		store_u64(bytes + 32, size - load_u64(bytes + 24));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && data[0] == 'S') {
		read_stream(data + 1, size - 1);
		return 0;
	}
	if (size < FORMAT_HEADER_BYTES)
		return 0;
	uint8_t *bytes = malloc(size);
	memcpy(bytes, data, size);
	mend_header(bytes, size);
	static int file = -1;
	if (file < 0)
		file = memfd_create("fuzz", 0);
	if (file < 0 || ftruncate(file, 0) || pwrite(file, bytes, size, 0) != (ssize_t)size)
		abort();
	free(bytes);
	char path[64];
	struct error err = {""};
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	struct trace *t = trace_open_checked(path, TRACE_SKIP_CHECKSUMS, &err);
	if (!t && !err.text[0])
		abort();
	if (t)
		read_trace(t);
	trace_close(t);
	return 0;
}
