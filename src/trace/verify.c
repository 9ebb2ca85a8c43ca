/*
 * The pass over all streams when a trace is opened: checksums, sizes, and
 * that chunks follow each other in the file, so that the pass takes time
 * linear in the file's size whatever the index says.
 */
#include <stdlib.h>
#include <xxhash.h>

#include "trace/reader.h"

enum { WINDOW_BYTES = 1 << 20 };

struct scan {
	struct trace *trace;
	unsigned kernel;
	uint64_t frontier; /* everything before was taken by an earlier chunk */
	uint64_t limit;    /* where the directory begins */
	uint64_t window_at;
	size_t window_bytes;
	uint8_t *window;
	uint8_t *index; /* one block */
	uint64_t held;  /* CTAs of the kernel that hold instructions */
};

static bool bad(const struct scan *s, const char *what, struct error *err)
{
	return error_set(err, "%s: damaged trace: kernel %u: %s", s->trace->path, s->kernel + 1, what);
}

/* Bytes of the file through a window that moves on; NULL with an error if they cannot be had. */
static const uint8_t *scan_bytes(struct scan *s, uint64_t offset, size_t bytes, struct error *err)
{
	if (bytes > WINDOW_BYTES || offset > s->limit || bytes > s->limit - offset) {
		bad(s, "a chunk is outside the file", err);
		return NULL;
	}
	if (offset < s->window_at || offset + bytes > s->window_at + s->window_bytes) {
		uint64_t left = s->limit - offset;
		s->window_bytes = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES;
		s->window_at = offset;
		if (!trace_pread(s->trace, offset, s->window, s->window_bytes, err)) {
			s->window_bytes = 0;
			return NULL;
		}
	}
	return s->window + (offset - s->window_at);
}

/* A part of the file that nobody else may use. */
static bool claim(struct scan *s, uint64_t offset, uint64_t bytes, struct error *err)
{
	if (offset < s->frontier || offset > s->limit || bytes > s->limit - offset)
		return bad(s, "parts overlap or are outside the file", err);
	s->frontier = offset + bytes;
	return true;
}

/* Follows one warp's chain; `*end` is moved past it if it reaches further. */
static bool verify_chain(struct scan *s, const uint8_t *warp, uint64_t *end, struct error *err)
{
	uint64_t at = load_u64(warp);
	uint32_t segments = load_u32(warp + 16);
	if (segments && at < s->frontier)
		return bad(s, "segments overlap other parts", err);
	while (segments--) {
		struct segment_head head;
		const uint8_t *p = scan_bytes(s, at, FORMAT_SEGMENT_HEAD_BYTES, err);
		if (!p)
			return false;
		if (!segment_decode_head(p, &head))
			return bad(s, "a segment has an impossible size", err);
		uint64_t seed = load_u64(p);
		at += FORMAT_SEGMENT_HEAD_BYTES;
		p = scan_bytes(s, at, head.stored_bytes, err);
		if (!p)
			return false;
		if (!trace_hash_matches(s->trace, p, head.stored_bytes, seed, head.hash))
			return bad(s, "a segment's checksum does not match", err);
		at += head.stored_bytes;
	}
	*end = at > *end ? at : *end;
	return true;
}

static bool verify_segments(struct scan *s, const struct cta_entry *e, const uint8_t *head, struct error *err)
{
	/* The window moves while chains are followed: keep the head apart. */
	uint8_t copy[FORMAT_MAX_WARPS * FORMAT_WARP_HEAD_BYTES];
	memcpy(copy, head, e->stored_bytes);
	uint64_t end = s->frontier;
	for (uint32_t at = 0; at < e->stored_bytes; at += FORMAT_WARP_HEAD_BYTES)
		if (!verify_chain(s, copy + at, &end, err))
			return false;
	s->frontier = end;
	return true;
}

static bool verify_cta(struct scan *s, const uint8_t *p, struct error *err)
{
	struct cta_entry e;
	if (!index_decode_entry(s->trace, s->kernel, p, &e, err))
		return false;
	if (!e.stored_bytes)
		return true;
	s->held++;
	const uint8_t *stored = scan_bytes(s, e.offset, e.stored_bytes, err);
	if (!stored)
		return false;
	if (!trace_hash_matches(s->trace, stored, e.stored_bytes, e.raw_bytes, e.hash))
		return bad(s, "a CTA's checksum does not match", err);
	if (!e.raw_bytes && !verify_segments(s, &e, stored, err))
		return false;
	if (e.stored_bytes > s->trace->max_stored_bytes)
		s->trace->max_stored_bytes = e.stored_bytes;
	return claim(s, e.offset, e.stored_bytes, err);
}

static bool verify_block(struct scan *s, uint64_t block, uint64_t offset, struct error *err)
{
	if (!offset)
		return true;
	const struct trace_kernel *k = &s->trace->kernels[s->kernel];
	uint32_t ctas = format_block_ctas(k->cta_count, block);
	uint64_t bytes = (uint64_t)ctas * FORMAT_INDEX_ENTRY_BYTES;
	if (offset > s->limit || bytes > s->limit - offset)
		return bad(s, "index outside the file", err);
	if (!index_load_block(s->trace, s->kernel, block, s->index, err))
		return false;
	for (uint32_t i = 0; i < ctas; i++)
		if (!verify_cta(s, s->index + (size_t)i * FORMAT_INDEX_ENTRY_BYTES, err))
			return false;
	return claim(s, offset, bytes, err);
}

/* The references to the index blocks: streamed, since a grid of 2^31 CTAs has 8 MiB of them. */
static bool verify_references(struct scan *s, uint64_t blocks, XXH3_state_t *hash, struct error *err)
{
	const struct kernel_place *place = &s->trace->places[s->kernel];
	uint64_t offset = place->index_offset;
	if (offset > s->limit || blocks > (s->limit - offset) / FORMAT_BLOCK_REF_BYTES)
		return bad(s, "index outside the file", err);
	XXH3_64bits_reset(hash);
	for (uint64_t i = 0; i < blocks; i++) {
		const uint8_t *p =
		    scan_bytes(s, offset + i * FORMAT_BLOCK_REF_BYTES, FORMAT_BLOCK_REF_BYTES, err);
		if (!p)
			return false;
		XXH3_64bits_update(hash, p, FORMAT_BLOCK_REF_BYTES);
	}
	if (s->trace->checks == TRACE_CHECK_ALL && XXH3_64bits_digest(hash) != place->index_hash)
		return bad(s, "index checksum does not match", err);
	return true;
}

static bool verify_kernel(struct scan *s, XXH3_state_t *hash, struct error *err)
{
	struct kernel_place *place = &s->trace->places[s->kernel];
	uint64_t begin = s->frontier, ctas = s->trace->kernels[s->kernel].cta_count;
	s->held = 0;
	uint64_t blocks = format_index_blocks(ctas);
	if (!verify_references(s, blocks, hash, err))
		return false;
	for (uint64_t i = 0; i < blocks; i++) {
		uint8_t ref[8];
		if (!trace_pread(s->trace, place->index_offset + i * FORMAT_BLOCK_REF_BYTES, ref, sizeof ref,
		                 err) ||
		    !verify_block(s, i, load_u64(ref), err))
			return false;
	}
	if (!claim(s, place->index_offset, blocks * FORMAT_BLOCK_REF_BYTES, err))
		return false;
	/* Each is dispatched all the same: a few bytes of file must not be hours of simulation. */
	if (ctas - s->held > FORMAT_MAX_EMPTY_CTAS)
		return error_set(
		    err, "%s: kernel %u: %llu of %llu CTAs hold no instructions; at most %d may be left out",
		    s->trace->path, s->kernel + 1, (unsigned long long)(ctas - s->held),
		    (unsigned long long)ctas, FORMAT_MAX_EMPTY_CTAS);
	place->stream_bytes = s->frontier - begin;
	return true;
}

bool trace_verify_streams(struct trace *t, struct error *err)
{
	uint8_t header[FORMAT_HEADER_BYTES];
	if (!trace_pread(t, 0, header, sizeof header, err))
		return false;
	struct scan s = {.trace = t, .frontier = FORMAT_HEADER_BYTES, .limit = load_u64(header + 24)};
	s.window = malloc(WINDOW_BYTES);
	s.index = malloc(FORMAT_INDEX_BLOCK_BYTES);
	XXH3_state_t *hash = XXH3_createState();
	bool ok = s.window && s.index && hash;
	if (!ok)
		error_set(err, "%s: out of memory", t->path);
	for (; ok && s.kernel < t->kernel_count; s.kernel++)
		ok = verify_kernel(&s, hash, err);
	XXH3_freeState(hash);
	free(s.index);
	free(s.window);
	return ok;
}
