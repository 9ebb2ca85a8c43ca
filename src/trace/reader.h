/*
 * What the parts of the reader share: the open file, the scratch of one
 * thread. Private to src/trace/ and the fuzz target, which opens files with
 * wrong checksums.
 */
#ifndef SLUICE_TRACE_READER_H
#define SLUICE_TRACE_READER_H

#include <zstd.h>

#include "trace/format.h"

enum trace_checks { TRACE_CHECK_ALL, TRACE_SKIP_CHECKSUMS };

/* Where a launch's streams are. */
struct kernel_place {
	uint64_t index_offset; /* one reference per index block */
	uint64_t index_hash;
	uint64_t dictionary_cta;
	uint32_t dictionary_bytes;
	uint64_t stream_bytes; /* chunks and index in the file */
};

struct trace {
	char *path;
	int fd;
	enum trace_checks checks;
	uint64_t file_bytes;
	uint32_t version; /* of its format */
	uint32_t kernel_count, table_count, copy_count, warning_count;
	uint32_t max_stored_bytes; /* largest compressed CTA */
	uint8_t *directory;        /* kept: names, mnemonics and warnings point into it */
	const char *pool;
	struct trace_kernel *kernels;
	struct kernel_place *places;
	struct trace_insn *insns; /* of all tables, one after the other */
	struct trace_copy *copies;
	const char **warnings;
	uint64_t *watched; /* words of all launches, one launch after the other */
};

struct trace_reader {
	const struct trace *trace;
	ZSTD_DCtx *zstd;
	ZSTD_DDict *dictionary;
	unsigned dictionary_kernel; /* launch of the loaded dictionary */
	bool dictionary_loaded;
	bool index_loaded;
	unsigned index_kernel;
	uint64_t index_block;
	uint8_t *index;  /* one index block */
	uint8_t *stored; /* compressed bytes of a CTA or segment */
	size_t stored_capacity;
};

/* Where one CTA's chunk lies. */
struct cta_entry {
	uint64_t offset;
	uint32_t stored_bytes; /* 0: the CTA executed nothing */
	uint32_t raw_bytes;    /* 0: segmented */
	uint64_t hash;
};

struct trace *trace_open_checked(const char *path, enum trace_checks checks, struct error *err);

/* Read exactly `bytes` at `offset`. */
bool trace_pread(const struct trace *trace, uint64_t offset, void *to, size_t bytes, struct error *err);
bool trace_hash_matches(const struct trace *trace, const void *data, size_t bytes, uint64_t seed,
                        uint64_t hash);

/* Load the index block `block` of a launch into `to` (FORMAT_INDEX_BLOCK_BYTES). */
bool index_load_block(const struct trace *trace, unsigned kernel_index, uint64_t block, uint8_t *to,
                      struct error *err);
/* Read the entry at `p`; false with an error if it cannot be one of this launch. */
bool index_read_entry(const struct trace *trace, unsigned kernel_index, const uint8_t *p,
                      struct cta_entry *entry, struct error *err);
/* Fetch the next segment of a cursor. */
bool cursor_fetch_segment(struct trace_reader *reader, struct warp_cursor *cursor, struct error *err);

struct segment_head {
	uint32_t stored_bytes, raw_bytes;
	uint64_t hash;
};
bool segment_read_head(const uint8_t *p, struct segment_head *head);

#endif
