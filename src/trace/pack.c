/* Compression of CTAs and segments, and the index entries that lead to them. */
#include <xxhash.h>

#include "trace/writer.h"

static bool cannot_compress(const struct trace_writer *w, size_t code, struct error *err)
{
	return error_set(err, "%s: cannot compress: %s", w->path, ZSTD_getErrorName(code));
}

/* Header and frame. */
bool writer_pack_segment(struct trace_writer *w, const uint8_t *raw, uint32_t bytes, size_t *stored,
                         struct error *err)
{
	uint8_t *frame = w->stored + FORMAT_SEGMENT_HEAD_BYTES;
	size_t n = ZSTD_compressCCtx(w->zstd, frame, w->stored_capacity - FORMAT_SEGMENT_HEAD_BYTES, raw,
	                             bytes, w->level);
	if (ZSTD_isError(n))
		return cannot_compress(w, n, err);
	store_u32(w->stored, (uint32_t)n);
	store_u32(w->stored + 4, bytes);
	/* The sizes are the seed, so that the checksum covers them. */
	store_u64(w->stored + 8, XXH3_64bits_withSeed(frame, n, load_u64(w->stored)));
	*stored = FORMAT_SEGMENT_HEAD_BYTES + n;
	return true;
}

/* The first CTA held whole serves the later ones, which are much like it, as a dictionary. */
static bool adopt_dictionary(struct trace_writer *w, uint64_t cta, const uint8_t *packed, uint32_t bytes)
{
	struct written_kernel *k = writer_kernel(w);
	if (k->dictionary_cta != FORMAT_NO_DICTIONARY)
		return true;
	k->dictionary_cta = cta;
	k->dictionary_bytes = bytes < FORMAT_DICTIONARY_BYTES ? bytes : FORMAT_DICTIONARY_BYTES;
	/* Bytes that happen to look like a trained dictionary would be read as one. */
	if (load_u32(packed) == ZSTD_MAGIC_DICTIONARY)
		k->dictionary_bytes = 0;
	ZSTD_freeCDict(w->dictionary);
	w->dictionary = ZSTD_createCDict(packed, k->dictionary_bytes, w->level);
	return w->dictionary != NULL;
}

bool writer_pack_cta(struct trace_writer *w, uint64_t cta, const uint8_t *packed, uint32_t bytes,
                     size_t *stored, struct error *err)
{
	struct written_kernel *k = writer_kernel(w);
	/* Only CTAs behind the dictionary are read with it. */
	bool alone = k->dictionary_cta == FORMAT_NO_DICTIONARY || cta < k->dictionary_cta;
	size_t n = alone ? ZSTD_compressCCtx(w->zstd, w->stored, w->stored_capacity, packed, bytes, w->level)
	                 : ZSTD_compress_usingCDict(w->zstd, w->stored, w->stored_capacity, packed, bytes,
	                                            w->dictionary);
	if (ZSTD_isError(n))
		return cannot_compress(w, n, err);
	*stored = n;
	return adopt_dictionary(w, cta, packed, bytes) || writer_out_of_memory(w, err);
}

void writer_store_warp_head(uint8_t *head, const struct written_warp *warp)
{
	store_u64(head, warp->offset);
	store_u64(head + 8, warp->insns);
	store_u32(head + 16, warp->segments);
}

void writer_index_packed(struct trace_writer *w, uint8_t *entry, uint32_t stored, uint32_t raw, uint64_t hash)
{
	struct trace_kernel *k = &writer_kernel(w)->k;
	if (raw > k->max_packed_bytes)
		k->max_packed_bytes = raw;
	store_u64(entry, w->offset);
	store_u32(entry + 8, stored);
	store_u32(entry + 12, raw);
	store_u64(entry + 16, hash);
}

void writer_index_segmented(struct trace_writer *w, uint8_t *entry, const uint8_t *head, uint32_t bytes)
{
	writer_kernel(w)->k.has_segments = true;
	store_u64(entry, w->offset);
	store_u32(entry + 8, bytes);
	store_u32(entry + 12, 0);
	store_u64(entry + 16, XXH3_64bits_withSeed(head, bytes, 0));
}
