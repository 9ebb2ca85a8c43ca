/*
 * The streams of the open CTA, when CTAs come one after the other. A CTA is first
 * held whole in `raw`; when it outgrows what a reader may hold, the segments so far
 * go to the file and further ones follow as they fill up. The writer's memory
 * thus does not depend on the length of a warp.
 */
#include "trace/writer.h"

#include <xxhash.h>

static struct written_segment *open_segment(struct trace_writer *w)
{
	return &w->segments[w->segment_count - 1];
}

static bool put_segment(struct trace_writer *w, const struct written_segment *s, struct error *err)
{
	if (!s->bytes)
		return true;
	size_t stored;
	if (!writer_pack_segment(w, w->raw + s->start, s->bytes, &stored, err))
		return false;
	struct written_warp *warp = &w->warps[s->warp];
	if (!warp->segments++)
		warp->offset = w->offset;
	return writer_put(w, w->stored, stored, err);
}

/* Write all segments held and leave an empty open one. */
static bool flush_segments(struct trace_writer *w, struct error *err)
{
	for (uint32_t i = 0; i < w->segment_count; i++)
		if (!put_segment(w, &w->segments[i], err))
			return false;
	w->segments[0] = (struct written_segment){.warp = w->warp};
	w->segment_count = 1;
	w->raw_bytes = 0;
	return true;
}

static bool begin_segment(struct trace_writer *w, struct error *err)
{
	if (w->segmented)
		return flush_segments(w, err);
	if (w->segment_count == WRITER_MAX_SEGMENTS)
		BUG("more than %d segments in %u bytes", WRITER_MAX_SEGMENTS, w->raw_bytes);
	w->segments[w->segment_count++] = (struct written_segment){.warp = w->warp, .start = w->raw_bytes};
	return true;
}

static bool end_run(struct trace_writer *w, struct error *err)
{
	uint8_t run[ENCODE_RUN_MAX_BYTES];
	uint32_t bytes = (uint32_t)encode_end_run(&w->encoder, run);
	if (!w->segmented && w->raw_bytes + bytes > writer_packed_limit(w)) {
		if (!flush_segments(w, err))
			return false;
		w->segmented = true;
	}
	if (open_segment(w)->bytes + bytes > TRACE_SEGMENT_BYTES && !begin_segment(w, err))
		return false;
	memcpy(w->raw + w->raw_bytes, run, bytes);
	w->raw_bytes += bytes;
	open_segment(w)->bytes += bytes;
	return true;
}

static bool check_step(struct trace_writer *w, uint64_t mask, struct error *err)
{
	if (w->is_full)
		return writer_fail_full(w, err);
	if (mask & ~lanes_mask(writer_kernel(w)->k.warp_size))
		return error_set(err, "%s: mask %llx has more lanes than a warp", w->path,
		                 (unsigned long long)mask);
	return true;
}

static bool add_to_run(struct trace_writer *w, uint32_t insn, uint64_t mask, struct error *err)
{
	if (encode_joins_run(&w->encoder, insn, mask)) {
		w->encoder.run_length++;
	} else {
		if (!check_step(w, mask, err) || !end_run(w, err))
			return false;
		encode_begin_run(&w->encoder, insn, mask);
	}
	w->warps[w->warp].insns++;
	return true;
}

/* Return the instruction if it gets an address record, by the reader's rule; else NULL. */
static const struct trace_insn *recorded(const struct trace_writer *w, uint32_t insn, uint64_t mask)
{
	if (!w->in_warp)
		BUG("instruction outside a warp");
	const struct insn_table *t = writer_table(w);
	if (insn >= t->count)
		BUG("instruction %u is not in the table", insn);
	return mask && t->insns[insn].flags & INSN_MEMORY ? &t->insns[insn] : NULL;
}

bool trace_writer_step(struct trace_writer *w, uint32_t insn, uint64_t mask, const uint64_t *address,
                       struct error *err)
{
	if (w->is_full) /* the instruction may not be in the table */
		return writer_fail_full(w, err);
	const struct trace_insn *record = recorded(w, insn, mask);
	if (record && !address)
		BUG("memory instruction %u without addresses", insn);
	if (!add_to_run(w, insn, mask, err))
		return false;
	if (record)
		encode_addresses(&w->encoder, record->slot, (unsigned)__builtin_popcountll(mask), address);
	return true;
}

bool trace_writer_step_stride(struct trace_writer *w, uint32_t insn, uint64_t mask, uint64_t base,
                              int64_t stride, struct error *err)
{
	if (w->is_full) /* the instruction may not be in the table */
		return writer_fail_full(w, err);
	const struct trace_insn *record = recorded(w, insn, mask);
	if (!add_to_run(w, insn, mask, err))
		return false;
	if (record)
		encode_stride(&w->encoder, record->slot, (unsigned)__builtin_popcountll(mask), base, stride);
	return true;
}

bool trace_writer_begin_warp(struct trace_writer *w, uint32_t warp, struct error *err)
{
	if (!w->in_cta)
		BUG("warp outside a CTA");
	if (!writer_end_warp(w, err))
		return false;
	if (warp >= writer_kernel(w)->k.warps_per_cta)
		return error_set(err, "%s: warp %u of a CTA of %u", w->path, warp,
		                 writer_kernel(w)->k.warps_per_cta);
	if (w->warps[warp].begun)
		return error_set(err, "%s: warp %u appears twice in CTA %llu", w->path, warp,
		                 (unsigned long long)w->next_cta);
	w->warps[warp].begun = true;
	w->warp = warp;
	w->in_warp = true;
	encode_start_warp(&w->encoder, writer_kernel(w)->k.warp_size);
	w->encoder.records = w->records;
	w->encoder.lists = &w->lists;
	return begin_segment(w, err);
}

bool writer_end_warp(struct trace_writer *w, struct error *err)
{
	if (!w->in_warp)
		return true;
	if (!end_run(w, err))
		return false;
	w->in_warp = false;
	return true;
}

/* Put warp table and streams, in warp order, into w->packed; return the size. */
static uint32_t pack_cta(struct trace_writer *w)
{
	uint32_t warps = writer_kernel(w)->k.warps_per_cta, at = warps * FORMAT_WARP_BYTES;
	for (uint32_t warp = 0; warp < warps; warp++) {
		uint32_t start = at;
		for (uint32_t i = 0; i < w->segment_count; i++) {
			const struct written_segment *s = &w->segments[i];
			if (s->warp != warp)
				continue;
			memcpy(w->packed + at, w->raw + s->start, s->bytes);
			at += s->bytes;
		}
		store_u64(w->packed + warp * FORMAT_WARP_BYTES, w->warps[warp].insns);
		store_u32(w->packed + warp * FORMAT_WARP_BYTES + 8, at - start);
	}
	return at;
}

static bool store_packed(struct trace_writer *w, uint8_t *entry, struct error *err)
{
	uint32_t raw = pack_cta(w);
	size_t n;
	if (!writer_pack_cta(w, w->next_cta, w->packed, raw, &n, err))
		return false;
	writer_index_packed(w, entry, (uint32_t)n, raw, XXH3_64bits_withSeed(w->stored, n, raw));
	return writer_put(w, w->stored, n, err);
}

static bool store_segmented(struct trace_writer *w, uint8_t *entry, struct error *err)
{
	if (!flush_segments(w, err))
		return false;
	struct written_kernel *k = writer_kernel(w);
	uint8_t head[FORMAT_MAX_WARPS * FORMAT_WARP_HEAD_BYTES];
	uint32_t bytes = k->k.warps_per_cta * FORMAT_WARP_HEAD_BYTES;
	for (uint32_t i = 0; i < k->k.warps_per_cta; i++)
		writer_store_warp_head(head + i * FORMAT_WARP_HEAD_BYTES, &w->warps[i]);
	writer_index_segmented(w, entry, head, bytes);
	return writer_put(w, head, bytes, err);
}

bool writer_store_cta(struct trace_writer *w, uint8_t entry[FORMAT_INDEX_ENTRY_BYTES], struct error *err)
{
	uint64_t insns = 0;
	for (uint32_t i = 0; i < writer_kernel(w)->k.warps_per_cta; i++)
		insns += w->warps[i].insns;
	writer_kernel(w)->k.warp_insns += insns;
	memset(entry, 0, FORMAT_INDEX_ENTRY_BYTES);
	if (!insns)
		return true;
	return w->segmented ? store_segmented(w, entry, err) : store_packed(w, entry, err);
}
