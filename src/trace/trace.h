/*
 * Traces: the timing model's only input.
 *
 * A trace is a list of kernel launches; a launch is a static instruction table
 * and a stream of executed instructions per CTA and warp. Files are read
 * lazily: opening one checks and loads headers and indexes, a CTA's stream is
 * fetched when the CTA starts, and long streams a segment at a time, so peak
 * memory depends on the machine and not on the length of the trace.
 * docs/trace-format.md describes the bytes.
 */
#ifndef SLUICE_TRACE_TRACE_H
#define SLUICE_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/insn.h"
#include "trace/step.h"

enum {
	TRACE_MAX_SRC = 5,
	TRACE_MAX_WARPS = 64,          /* per CTA; real machines stop at 32 */
	TRACE_REG_NONE = 255,          /* reads as zero, never waited for (RZ) */
	TRACE_SEGMENT_BYTES = 8 * 1024 /* a warp's stream is held at most this much at a time */
};

/* One static instruction. Register spans count consecutive 32-bit registers: a 64-bit result has span 2. */
struct trace_insn {
	uint64_t pc;
	uint32_t source_line; /* 0: unknown */
	uint32_t opcode;      /* offset of the full mnemonic in trace_kernel.strings */
	uint32_t flags;       /* enum insn_flag */
	uint8_t op;           /* enum op_class */
	uint8_t space;        /* enum mem_space */
	uint8_t width_bytes;  /* bytes per lane of a memory access, else 0 */
	uint8_t dst, dst_span;
	uint8_t src_count;
	uint8_t src[TRACE_MAX_SRC], src_span[TRACE_MAX_SRC];
	uint8_t round; /* of a poll: instructions of one round of its loop, at most 255; else 0 */
	uint8_t slot;  /* of an access: index in warp_cursor.slot; set by writer and reader */
};

struct trace_dim {
	uint32_t x, y, z;
};

struct trace_kernel {
	const char *name;
	uint32_t id; /* as the recorder numbered it; kernel-<id> */
	uint32_t stream;
	struct trace_dim grid, block;
	uint32_t warp_size; /* 32 or 64 */
	uint32_t warps_per_cta;
	uint32_t registers_per_thread;
	uint32_t shared_bytes; /* static + dynamic, per CTA */
	uint32_t binary_version;
	uint64_t shared_window, local_window; /* generic-address bases; 0: unknown */
	uint64_t cta_count;
	uint64_t warp_insns;       /* over the whole launch */
	uint32_t max_packed_bytes; /* largest decoded size of a CTA held whole; see cta_buffer_bytes() */
	bool has_segments;         /* some CTA is too long to be held whole */
	uint32_t insn_count;
	uint32_t slots; /* of a cursor that its instructions have: the first ones */
	/*
	 * In order of first execution, so that code executed in sequence has
	 * consecutive indexes. Launches of one kernel share a table that grows:
	 * this launch uses the first insn_count entries.
	 */
	const struct trace_insn *insns;
	const char *strings;
	/* Addresses of the 4-byte words that the launch's polls wait for: ascending, each once. See trace/poll.h. */
	const uint64_t *watched;
	uint32_t watched_count;
};

/* Host-to-device copies between launches, in order with them; nothing of their data is kept. */
struct trace_copy {
	uint32_t before_kernel; /* index of the launch that follows */
	uint64_t address, bytes;
};

struct trace;

/* Open a .sluice file; check version, header, indexes and every chunk's checksum. */
struct trace *trace_open(const char *path, struct error *err);
void trace_close(struct trace *trace);
const char *trace_path(const struct trace *trace);
unsigned trace_kernel_count(const struct trace *trace);
const struct trace_kernel *trace_kernel_at(const struct trace *trace, unsigned index);
/* Return the bytes of the file, and of one launch's streams in it with their index. */
uint64_t trace_file_bytes(const struct trace *trace);
uint64_t trace_kernel_bytes(const struct trace *trace, unsigned index);
size_t trace_copies(const struct trace *trace, const struct trace_copy **copies);
/* Return a warning of the importer, e.g. "unknown opcode LDX.FOO (12 times, read as load)"; NULL past the last. */
const char *trace_warning(const struct trace *trace, unsigned i);

static inline const char *trace_mnemonic(const struct trace_kernel *k, const struct trace_insn *i)
{
	return k->strings + i->opcode;
}

/* ---- reading the streams --------------------------------------------------------------------------- */

/* Return the bytes of buffer that any CTA of the kernel needs. */
size_t cta_buffer_bytes(const struct trace_kernel *kernel);

/*
 * A reader: scratch for decompression. One per thread; readers of one trace
 * may be used concurrently.
 */
struct trace_reader;
struct trace_reader *trace_reader_new(const struct trace *trace, struct error *err);
void trace_reader_free(struct trace_reader *reader);
/* Use a reader for another trace, or again for the same; cheaper than a new one. */
void trace_reader_bind(struct trace_reader *reader, const struct trace *trace);

/*
 * Fetch CTA `cta` (linear, x fastest) of launch `kernel_index`: its sources[0..warps_per_cta). `buffer` must stay valid
 * while they are read.
 */
bool trace_fetch_cta(struct trace_reader *reader, unsigned kernel_index, uint64_t cta, uint8_t *buffer,
                     struct warp_source *sources, struct error *err);
/* Position a cursor at the start of a stream of the kernel. */
void cursor_begin(struct warp_cursor *cursor, const struct trace_kernel *kernel,
                  const struct warp_source *source);
/* Do both for all warps of the CTA: cursors[0..warps_per_cta). */
bool trace_read_cta(struct trace_reader *reader, unsigned kernel_index, uint64_t cta, uint8_t *buffer,
                    struct warp_cursor *cursors, struct error *err);

enum cursor_result { CURSOR_STEP, CURSOR_END, CURSOR_ERROR };
/* Decode the next instruction; CURSOR_ERROR only for damaged or hostile files. */
enum cursor_result cursor_next(struct trace_reader *reader, const struct trace_kernel *kernel,
                               struct warp_cursor *cursor, struct warp_step *step, struct error *err);

/* ---- writing ---------------------------------------------------------------------------------------- */

struct trace_writer;

/* Write `path` through a temporary file in its folder; `path` itself appears in trace_writer_finish(). */
struct trace_writer *trace_writer_new(const char *path, struct error *err);
void trace_writer_abort(struct trace_writer *writer);
bool trace_writer_finish(struct trace_writer *writer,
                         struct error *err); /* frees the writer, also on failure */

void trace_writer_copy(struct trace_writer *writer, uint64_t address, uint64_t bytes);
void trace_writer_warning(struct trace_writer *writer, const char *text);
/* Header fields of `kernel` are copied; insns, counts, strings and watched words are ignored. */
bool trace_writer_begin_kernel(struct trace_writer *writer, const struct trace_kernel *kernel,
                               struct error *err);
/* Drop the CTAs of the open launch and begin it anew; its instructions keep their indexes. */
bool trace_writer_restart_kernel(struct trace_writer *writer, struct error *err);
/* Add a static instruction (mnemonic copied) and return its index; equal instructions share one. */
uint32_t trace_writer_insn(struct trace_writer *writer, const struct trace_insn *insn, const char *mnemonic);
/* CTAs come in linear order, those left out are empty; warps of a CTA in any order, each at most once. */
bool trace_writer_begin_cta(struct trace_writer *writer, uint64_t cta, struct error *err);
bool trace_writer_begin_warp(struct trace_writer *writer, uint32_t warp, struct error *err);
/* `address`: popcount(mask) lane addresses, ascending lanes, for INSN_MEMORY instructions with mask != 0; else NULL. */
bool trace_writer_step(struct trace_writer *writer, uint32_t insn, uint64_t mask, const uint64_t *address,
                       struct error *err);
/* The same for an access at base + i * stride. */
bool trace_writer_step_stride(struct trace_writer *writer, uint32_t insn, uint64_t mask, uint64_t base,
                              int64_t stride, struct error *err);
bool trace_writer_end_cta(struct trace_writer *writer, struct error *err);
/* The words that the open launch's polls wait for, ascending, each once. At most once per launch. */
void trace_writer_watch(struct trace_writer *writer, const uint64_t *addresses, uint32_t count);
bool trace_writer_end_kernel(struct trace_writer *writer, struct error *err);

#endif
