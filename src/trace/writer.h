/* What the parts of the writer share. Private to src/trace/. */
#ifndef SLUICE_TRACE_WRITER_H
#define SLUICE_TRACE_WRITER_H

#include <zstd.h>

#include "trace/encode.h"
#include "trace/table.h"

/* A launch as the directory will hold it. */
struct written_kernel {
	struct trace_kernel k;
	uint32_t name, table;
	uint64_t index_offset, index_hash;
	uint64_t dictionary_cta;
	uint32_t dictionary_bytes;
	uint64_t *watched;
	uint64_t offset; /* where its first chunk goes */
};

/* A piece of a warp's stream that was cut at an instruction boundary. */
struct written_segment {
	uint32_t warp, start, bytes;
};

struct written_warp {
	uint64_t insns;
	uint64_t offset; /* of the first segment in the file */
	uint32_t segments;
	bool begun;
};

enum { WRITER_MAX_SEGMENTS = 4 * FORMAT_MAX_WARPS };

struct trace_writer {
	char *path, *temporary;
	int fd;
	uint8_t *buffer; /* not stdio's, which a forked child that exits would write a second time */
	size_t buffered;
	int level;        /* of compression */
	uint64_t offset;  /* where the next byte goes */
	uint64_t limit;   /* of the file; 0: none */
	bool is_at_limit; /* it was reached */
	bool is_full;     /* tables or names are, where no error could be returned */
	ZSTD_CCtx *zstd;
	ZSTD_CDict *dictionary;

	struct string_pool pool;
	struct insn_table *tables;
	uint32_t table_count;
	struct written_kernel *kernels;
	uint32_t kernel_count;
	struct trace_copy *copies;
	uint32_t copy_count;
	uint32_t *warnings;
	uint32_t warning_count;

	/* the open launch */
	bool in_kernel;
	uint64_t next_cta;
	uint64_t *block_refs; /* offset and hash of each index block written */
	uint64_t block_count, block_capacity;
	uint8_t *index; /* entries of the open index block */
	bool index_used;

	/* the open CTA */
	bool in_cta, in_warp, segmented;
	uint32_t warp;
	struct written_warp warps[FORMAT_MAX_WARPS];
	struct written_segment segments[WRITER_MAX_SEGMENTS]; /* held in `raw`; the last one is open */
	uint32_t segment_count;
	uint32_t raw_bytes;
	uint8_t *raw;    /* streams in the order in which they came */
	uint8_t *packed; /* the same behind the warp table, in warp order */
	uint8_t *stored;
	size_t stored_capacity;
	struct warp_encoder encoder;
	uint8_t records[ENCODE_RECORDS_BYTES]; /* of the encoder's open run */
	struct list_memory lists;
	struct cta_pool *pool_of_ctas; /* interleave.c: CTAs whose warps take turns; NULL: none */
};

static inline struct written_kernel *writer_kernel(struct trace_writer *w)
{
	return &w->kernels[w->kernel_count - 1];
}

/* The static instructions of the open launch. */
static inline const struct insn_table *writer_table(const struct trace_writer *w)
{
	return &w->tables[w->kernels[w->kernel_count - 1].table];
}

/* Append to the file. */
bool writer_put(struct trace_writer *w, const void *bytes, size_t count, struct error *err);
/* Report that tables or names are full; always false. */
bool writer_fail_full(const struct trace_writer *w, struct error *err);

/* Packed bytes that a CTA of the open launch may take; longer ones are cut into segments. */
static inline uint32_t writer_packed_limit(struct trace_writer *w)
{
	return writer_kernel(w)->k.warps_per_cta * (TRACE_SEGMENT_BYTES - FORMAT_WARP_BYTES);
}

/* Compression of a CTA's bytes into w->stored; false: err says why. */
bool writer_pack_segment(struct trace_writer *w, const uint8_t *raw, uint32_t bytes, size_t *stored,
                         struct error *err);
bool writer_pack_cta(struct trace_writer *w, uint64_t cta, const uint8_t *packed, uint32_t bytes,
                     size_t *stored, struct error *err);
void writer_store_warp_head(uint8_t *head, const struct written_warp *warp);
/* Fill the index entry of a chunk that begins at w->offset. */
void writer_index_packed(struct trace_writer *w, uint8_t *entry, uint32_t stored, uint32_t raw,
                         uint64_t hash);
void writer_index_segmented(struct trace_writer *w, uint8_t *entry, const uint8_t *head, uint32_t bytes);
/* Store the index entry of CTA next_cta and go on to the next CTA. */
bool writer_advance_cta(struct trace_writer *w, const uint8_t entry[FORMAT_INDEX_ENTRY_BYTES],
                        struct error *err);
/* Leave the CTAs before `cta` empty. */
bool writer_skip_to_cta(struct trace_writer *w, uint64_t cta, struct error *err);

/* interleave.c */
void writer_free_ctas(struct trace_writer *w);
bool writer_flush_ctas(struct trace_writer *w, struct error *err);
/* cta_writer.c: chunks of the open CTA */
bool writer_end_warp(struct trace_writer *w, struct error *err);
bool writer_store_cta(struct trace_writer *w, uint8_t entry[FORMAT_INDEX_ENTRY_BYTES], struct error *err);

#endif
