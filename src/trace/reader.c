/*
 * Fetching CTAs: index block by block, chunks one at a time into the caller's
 * buffer. Holds one index block, one compressed chunk and one dictionary,
 * whatever the size of the trace.
 */
#include "trace/reader.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"

static bool bad(const struct trace *t, unsigned kernel, const char *what, struct error *err)
{
	return error_set(err, "%s: damaged trace: kernel %u: %s", t->path, kernel + 1, what);
}

/* A segment in the buffer is followed by slack of its own: decoders may look past its end. */
enum { SEGMENT_SLOT_BYTES = TRACE_SEGMENT_BYTES + FORMAT_SLACK_BYTES };

size_t cta_buffer_bytes(const struct trace_kernel *k)
{
	size_t packed = (size_t)k->max_packed_bytes + FORMAT_SLACK_BYTES;
	size_t segments = k->has_segments ? (size_t)k->warps_per_cta * SEGMENT_SLOT_BYTES : 0;
	return bits_max(packed, segments);
}

void trace_reader_bind(struct trace_reader *r, const struct trace *trace)
{
	size_t stored = FORMAT_SEGMENT_HEAD_BYTES + ZSTD_COMPRESSBOUND(TRACE_SEGMENT_BYTES);
	if (stored < trace->max_stored_bytes)
		stored = trace->max_stored_bytes;
	if (stored > r->stored_capacity) {
		r->stored = memory_grow(r->stored, stored, 1);
		r->stored_capacity = stored;
	}
	r->trace = trace;
	r->dictionary_loaded = r->index_loaded = false;
}

struct trace_reader *trace_reader_new(const struct trace *trace, struct error *err)
{
	struct trace_reader *r = memory_zeroed(1, sizeof *r);
	r->zstd = ZSTD_createDCtx();
	r->index = memory_grow(NULL, FORMAT_INDEX_BLOCK_BYTES, 1);
	trace_reader_bind(r, trace);
	if (r->zstd)
		return r;
	trace_reader_free(r);
	error_set(err, "%s: out of memory", trace->path);
	return NULL;
}

void trace_reader_free(struct trace_reader *r)
{
	if (!r)
		return;
	ZSTD_freeDCtx(r->zstd);
	ZSTD_freeDDict(r->dictionary);
	free(r->index);
	free(r->stored);
	free(r);
}

bool index_load_block(const struct trace *t, unsigned kernel, uint64_t block, uint8_t *to, struct error *err)
{
	uint8_t ref[FORMAT_BLOCK_REF_BYTES];
	uint64_t at = t->places[kernel].index_offset + block * FORMAT_BLOCK_REF_BYTES;
	if (!trace_pread(t, at, ref, sizeof ref, err))
		return false;
	size_t bytes =
	    (size_t)format_block_ctas(t->kernels[kernel].cta_count, block) * FORMAT_INDEX_ENTRY_BYTES;
	if (!load_u64(ref)) {
		memset(to, 0, bytes);
		return true;
	}
	if (!trace_pread(t, load_u64(ref), to, bytes, err))
		return false;
	if (!trace_hash_matches(t, to, bytes, 0, load_u64(ref + 8)))
		return bad(t, kernel, "an index block's checksum does not match", err);
	return true;
}

bool index_read_entry(const struct trace *t, unsigned kernel, const uint8_t *p, struct cta_entry *e,
                      struct error *err)
{
	const struct trace_kernel *k = &t->kernels[kernel];
	*e = (struct cta_entry){load_u64(p), load_u32(p + 8), load_u32(p + 12), load_u64(p + 16)};
	if (!e->stored_bytes)
		return e->raw_bytes ? bad(t, kernel, "an empty CTA has a size", err) : true;
	if (!e->raw_bytes) {
		if (!k->has_segments || e->stored_bytes != k->warps_per_cta * FORMAT_WARP_HEAD_BYTES)
			return bad(t, kernel, "a segmented CTA's head has the wrong size", err);
	} else if (e->raw_bytes > k->max_packed_bytes ||
	           e->raw_bytes < k->warps_per_cta * FORMAT_WARP_BYTES ||
	           e->stored_bytes > ZSTD_COMPRESSBOUND(e->raw_bytes)) {
		return bad(t, kernel, "a CTA has an impossible size", err);
	}
	return true;
}

static bool find_cta(struct trace_reader *r, unsigned kernel, uint64_t cta, struct cta_entry *entry,
                     struct error *err)
{
	uint64_t block = cta / FORMAT_INDEX_CTAS;
	if (!r->index_loaded || r->index_kernel != kernel || r->index_block != block) {
		r->index_loaded = false;
		if (!index_load_block(r->trace, kernel, block, r->index, err))
			return false;
		r->index_loaded = true;
		r->index_kernel = kernel;
		r->index_block = block;
	}
	const uint8_t *p = r->index + cta % FORMAT_INDEX_CTAS * FORMAT_INDEX_ENTRY_BYTES;
	return index_read_entry(r->trace, kernel, p, entry, err);
}

static bool read_stored(struct trace_reader *r, unsigned kernel, const struct cta_entry *e, struct error *err)
{
	if (e->stored_bytes > r->trace->max_stored_bytes)
		return bad(r->trace, kernel, "a CTA has an impossible size", err);
	if (!trace_pread(r->trace, e->offset, r->stored, e->stored_bytes, err))
		return false;
	if (!trace_hash_matches(r->trace, r->stored, e->stored_bytes, e->raw_bytes, e->hash))
		return bad(r->trace, kernel, "a CTA's checksum does not match", err);
	return true;
}

static bool decompress(struct trace_reader *r, const struct cta_entry *e, const ZSTD_DDict *dictionary,
                       uint8_t *to)
{
	size_t n = dictionary ? ZSTD_decompress_usingDDict(r->zstd, to, e->raw_bytes, r->stored,
	                                                   e->stored_bytes, dictionary)
	                      : ZSTD_decompressDCtx(r->zstd, to, e->raw_bytes, r->stored, e->stored_bytes);
	return !ZSTD_isError(n) && n == e->raw_bytes;
}

/* The dictionary is the beginning of one CTA's own decoded bytes; `scratch` is the buffer of the CTA to come.
 */
static bool load_dictionary(struct trace_reader *r, unsigned kernel, uint8_t *scratch, struct error *err)
{
	const struct kernel_place *place = &r->trace->places[kernel];
	if (r->dictionary_loaded && r->dictionary_kernel == kernel)
		return true;
	ZSTD_freeDDict(r->dictionary);
	r->dictionary = NULL;
	r->dictionary_loaded = false;
	struct cta_entry e;
	if (!find_cta(r, kernel, place->dictionary_cta, &e, err))
		return false;
	if (e.raw_bytes < place->dictionary_bytes || !e.raw_bytes)
		return bad(r->trace, kernel, "the dictionary is longer than its CTA", err);
	if (!read_stored(r, kernel, &e, err))
		return false;
	if (!decompress(r, &e, NULL, scratch))
		return bad(r->trace, kernel, "the dictionary's CTA does not decompress", err);
	r->dictionary = ZSTD_createDDict(scratch, place->dictionary_bytes);
	if (!r->dictionary)
		return bad(r->trace, kernel, "the dictionary is not usable", err);
	r->dictionary_loaded = true;
	r->dictionary_kernel = kernel;
	return true;
}

void cursor_begin(struct warp_cursor *c, const struct trace_kernel *k, const struct warp_source *source)
{
	c->left = source->left;
	c->mask = lanes_mask(k->warp_size);
	c->insn = c->run_end = 0;
	c->at = source->at;
	c->end = source->end;
	c->other_mask = c->last_base = 0;
	c->segment_offset = source->segment_offset;
	c->segments_left = source->segments_left;
	c->buffer = source->buffer;
	memset(c->slot, 0, k->slots * sizeof *c->slot);
}

static bool place_packed(struct trace_reader *r, unsigned kernel, const struct cta_entry *e, uint8_t *buffer,
                         struct warp_source *sources, struct error *err)
{
	const struct trace_kernel *k = &r->trace->kernels[kernel];
	const uint8_t *at = buffer + k->warps_per_cta * FORMAT_WARP_BYTES, *end = buffer + e->raw_bytes;
	memset(buffer + e->raw_bytes, 0, FORMAT_SLACK_BYTES);
	for (uint32_t w = 0; w < k->warps_per_cta; w++) {
		const uint8_t *warp = buffer + w * FORMAT_WARP_BYTES;
		uint32_t bytes = load_u32(warp + 8);
		if (bytes > (size_t)(end - at))
			return bad(r->trace, kernel, "a warp's stream is longer than its CTA", err);
		sources[w].left = load_u64(warp);
		sources[w].at = at;
		sources[w].end = at += bytes;
	}
	return true;
}

static bool read_packed(struct trace_reader *r, unsigned kernel, uint64_t cta, const struct cta_entry *e,
                        uint8_t *buffer, struct warp_source *sources, struct error *err)
{
	bool uses_dictionary = cta > r->trace->places[kernel].dictionary_cta;
	if (uses_dictionary && !load_dictionary(r, kernel, buffer, err))
		return false;
	if (!read_stored(r, kernel, e, err))
		return false;
	if (!decompress(r, e, uses_dictionary ? r->dictionary : NULL, buffer))
		return bad(r->trace, kernel, "a CTA does not decompress", err);
	return place_packed(r, kernel, e, buffer, sources, err);
}

static bool read_segmented(struct trace_reader *r, unsigned kernel, const struct cta_entry *e,
                           uint8_t *buffer, struct warp_source *sources, struct error *err)
{
	const struct trace_kernel *k = &r->trace->kernels[kernel];
	if (!read_stored(r, kernel, e, err))
		return false;
	for (uint32_t w = 0; w < k->warps_per_cta; w++) {
		const uint8_t *head = r->stored + w * FORMAT_WARP_HEAD_BYTES;
		struct warp_source *s = &sources[w];
		s->segment_offset = load_u64(head);
		s->left = load_u64(head + 8);
		s->segments_left = load_u32(head + 16);
		s->buffer = buffer + (size_t)w * SEGMENT_SLOT_BYTES;
		s->at = s->end = s->buffer;
	}
	return true;
}

bool trace_fetch_cta(struct trace_reader *r, unsigned kernel, uint64_t cta, uint8_t *buffer,
                     struct warp_source *sources, struct error *err)
{
	const struct trace *t = r->trace;
	if (kernel >= t->kernel_count || cta >= t->kernels[kernel].cta_count)
		BUG("CTA %llu of kernel %u is not in %s", (unsigned long long)cta, kernel, t->path);
	memset(sources, 0, t->kernels[kernel].warps_per_cta * sizeof *sources);
	struct cta_entry entry;
	if (!find_cta(r, kernel, cta, &entry, err))
		return false;
	if (!entry.stored_bytes)
		return true;
	if (entry.raw_bytes)
		return read_packed(r, kernel, cta, &entry, buffer, sources, err);
	return read_segmented(r, kernel, &entry, buffer, sources, err);
}

bool trace_read_cta(struct trace_reader *r, unsigned kernel, uint64_t cta, uint8_t *buffer,
                    struct warp_cursor *cursors, struct error *err)
{
	struct warp_source sources[FORMAT_MAX_WARPS];
	if (!trace_fetch_cta(r, kernel, cta, buffer, sources, err))
		return false;
	const struct trace_kernel *k = &r->trace->kernels[kernel];
	for (uint32_t w = 0; w < k->warps_per_cta; w++)
		cursor_begin(&cursors[w], k, &sources[w]);
	return true;
}

bool segment_read_head(const uint8_t *p, struct segment_head *head)
{
	*head = (struct segment_head){load_u32(p), load_u32(p + 4), load_u64(p + 8)};
	return head->raw_bytes && head->raw_bytes <= TRACE_SEGMENT_BYTES && head->stored_bytes &&
	       head->stored_bytes <= ZSTD_COMPRESSBOUND(TRACE_SEGMENT_BYTES);
}

bool cursor_fetch_segment(struct trace_reader *r, struct warp_cursor *c, struct error *err)
{
	const struct trace *t = r->trace;
	struct segment_head head;
	uint8_t raw_head[FORMAT_SEGMENT_HEAD_BYTES];
	if (!trace_pread(t, c->segment_offset, raw_head, sizeof raw_head, err))
		return false;
	if (!segment_read_head(raw_head, &head))
		return error_set(err, "%s: damaged trace: a segment has an impossible size", t->path);
	uint64_t data = c->segment_offset + FORMAT_SEGMENT_HEAD_BYTES;
	if (!trace_pread(t, data, r->stored, head.stored_bytes, err))
		return false;
	if (!trace_hash_matches(t, r->stored, head.stored_bytes, load_u64(raw_head), head.hash))
		return error_set(err, "%s: damaged trace: a segment's checksum does not match", t->path);
	size_t n = ZSTD_decompressDCtx(r->zstd, c->buffer, head.raw_bytes, r->stored, head.stored_bytes);
	if (ZSTD_isError(n) || n != head.raw_bytes)
		return error_set(err, "%s: damaged trace: a segment does not decompress", t->path);
	memset(c->buffer + n, 0, FORMAT_SLACK_BYTES);
	c->at = c->buffer;
	c->end = c->buffer + n;
	c->segment_offset = data + head.stored_bytes;
	c->segments_left--;
	return true;
}
