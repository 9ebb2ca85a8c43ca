/*
 * CTAs whose warps are written by turns. Each warp encodes into a buffer of its own, with room for the largest run
 * header. When a CTA outgrows what a reader holds whole, its full segments are compressed and only the open segment of
 * each warp stays as it is. A closed CTA is compressed at once and waits for its turn in the file.
 *
 * The caller's thread encodes, a second one compresses and writes, in the order of a work queue. The file does not
 * depend on their timing.
 */
#include "trace/interleave.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/memory.h"
#include "base/work_queue.h"
#include "trace/writer.h"

struct byte_buffer {
	uint8_t *bytes;
	size_t count, capacity;
};

struct warp_stream {
	uint64_t insns;
	struct byte_buffer raw;    /* of a segmented CTA: the open segment alone */
	uint32_t segment_start;    /* of the open segment in raw */
	uint32_t *cuts, cut_count; /* ends of full segments in raw, until the CTA is segmented */
	uint32_t cut_capacity;
	struct warp_encoder encoder;
	/* used by the second thread */
	struct byte_buffer stored; /* compressed segments with their headers */
	uint32_t segments;
};

struct cta_stream {
	struct trace_writer *writer;
	struct cta_stream *next; /* free ones, or closed ones by CTA */
	struct cta_stream *all;
	uint64_t cta;
	uint32_t warp_count, warp_capacity;
	struct warp_stream *warps;
	bool segmented;
	uint32_t raw_bytes; /* of all warps */
	/* once closed, used by the second thread */
	uint64_t insns;
	struct byte_buffer chunk; /* compressed packed CTA */
	uint32_t packed_bytes;
};

/* An order to the second thread: compress a full segment of a warp, or finish a closed CTA. */
enum { NO_WARP = UINT32_MAX, ORDERS = 64 };
struct order {
	struct cta_stream *stream;
	uint32_t warp; /* NO_WARP: the CTA is closed */
	uint32_t bytes;
	uint8_t segment[TRACE_SEGMENT_BYTES];
};

struct cta_pool {
	struct work_queue *orders;
	struct cta_stream *all;
	uint32_t open;
	struct cta_stream *closed; /* used by the second thread */
	pthread_mutex_t lock;
	struct cta_stream *free; /* under the lock */
	atomic_bool failed;      /* the first failure stays; later orders are dropped */
	struct error failure;    /* written before `failed` is set */
};

static void buffer_reserve(struct byte_buffer *b, size_t capacity)
{
	enum { LEAST = 4096 };
	if (capacity <= b->capacity)
		return;
	if (!b->capacity)
		b->capacity = LEAST;
	while (b->capacity < capacity)
		b->capacity *= 2;
	b->bytes = memory_grow(b->bytes, b->capacity, 1);
}

static void buffer_append(struct byte_buffer *b, const uint8_t *bytes, size_t count)
{
	buffer_reserve(b, b->count + count);
	memcpy(b->bytes + b->count, bytes, count);
	b->count += count;
}

void trace_writer_set_limit(struct trace_writer *w, uint64_t bytes)
{
	w->limit = bytes;
}

bool trace_writer_is_at_limit(const struct trace_writer *w)
{
	return w->is_at_limit;
}

uint64_t trace_writer_insns(const struct trace_writer *w)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < w->kernel_count - w->in_kernel; i++)
		sum += w->kernels[i].k.warp_insns;
	return sum;
}

void trace_writer_set_level(struct trace_writer *w, int level)
{
	w->level = level;
}

/* ---- one warp --------------------------------------------------------------------------------------- */

static void send_segment(struct cta_stream *s, struct warp_stream *warp, const uint8_t *raw, uint32_t bytes)
{
	struct work_queue *orders = s->writer->pool_of_ctas->orders;
	if (!bytes)
		return;
	struct order *order = work_queue_reserve(orders);
	order->stream = s;
	order->warp = (uint32_t)(warp - s->warps);
	order->bytes = bytes;
	memcpy(order->segment, raw, bytes);
	work_queue_push(orders);
}

/* Send the full segments of a warp to the second thread; move the open one, with the open run's records, to the front. */
static void flush_segments(struct cta_stream *s, struct warp_stream *warp)
{
	struct warp_encoder *e = &warp->encoder;
	uint32_t start = 0;
	if (!warp->cut_count)
		return;
	for (uint32_t i = 0; i < warp->cut_count; i++) {
		send_segment(s, warp, warp->raw.bytes + start, warp->cuts[i] - start);
		start = warp->cuts[i];
	}
	size_t records = e->run_length ? RUN_HEADER_MAX + e->record_bytes : 0;
	memmove(warp->raw.bytes, warp->raw.bytes + start, warp->raw.count - start + records);
	e->records -= e->run_length ? start : 0;
	warp->raw.count -= start;
	warp->segment_start = 0;
	warp->cut_count = 0;
}

static void cut_segment(struct warp_stream *warp)
{
	if (warp->cut_count == warp->cut_capacity) {
		warp->cut_capacity = warp->cut_capacity ? 2 * warp->cut_capacity : 8;
		warp->cuts = memory_grow(warp->cuts, warp->cut_capacity, sizeof *warp->cuts);
	}
	warp->cuts[warp->cut_count++] = (uint32_t)warp->raw.count;
	warp->segment_start = (uint32_t)warp->raw.count;
}

/* Append the open run, if any, to the stream: its records are in place except for the header's size. */
static void end_run(struct cta_stream *s, struct warp_stream *warp)
{
	if (!warp->encoder.run_length)
		return;
	uint8_t *at = warp->raw.bytes + warp->raw.count;
	uint32_t bytes = (uint32_t)encode_end_run(&warp->encoder, at);
	if (warp->raw.count + bytes - warp->segment_start > TRACE_SEGMENT_BYTES)
		cut_segment(warp);
	warp->raw.count += bytes;
	s->raw_bytes += bytes;
	if (!s->segmented && s->raw_bytes > writer_packed_limit(s->writer)) {
		s->segmented = true;
		for (uint32_t i = 0; i < s->warp_count; i++)
			if (&s->warps[i] != warp)
				flush_segments(s, &s->warps[i]);
	}
	if (s->segmented && warp->cut_count)
		flush_segments(s, warp);
}

static void __attribute__((noinline))
begin_run(struct cta_stream *s, struct warp_stream *warp, uint32_t insn, uint64_t mask)
{
	if (mask & ~lanes_mask(writer_kernel(s->writer)->k.warp_size))
		BUG("mask %llx has more lanes than a warp", (unsigned long long)mask);
	end_run(s, warp);
	buffer_reserve(&warp->raw, warp->raw.count + ENCODE_RUN_MAX_BYTES);
	warp->encoder.records = warp->raw.bytes + warp->raw.count + RUN_HEADER_MAX;
	encode_begin_run(&warp->encoder, insn, mask);
}

static struct warp_stream *warp_of(struct cta_stream *s, uint32_t warp)
{
	if (warp >= s->warp_count)
		BUG("warp %u of a CTA of %u", warp, s->warp_count);
	return &s->warps[warp];
}

void cta_stream_run(struct cta_stream *s, uint32_t number, uint32_t first, uint32_t count, uint64_t mask)
{
	struct warp_stream *warp = warp_of(s, number);
	struct warp_encoder *e = &warp->encoder;
	warp->insns += count;
	while (count) {
		if (!encode_joins_run(e, first, mask)) {
			begin_run(s, warp, first, mask);
			first++;
			count--;
		}
		uint32_t room = RUN_LENGTH_MAX - e->run_length, some = count < room ? count : room;
		e->run_length += some;
		first += some;
		count -= some;
	}
}

/* Add the instruction to the warp's open run, or begin one; return the encoder of its addresses. */
static inline struct warp_encoder *join_run(struct cta_stream *s, uint32_t number, uint32_t insn,
                                            uint64_t mask)
{
	struct warp_stream *warp = warp_of(s, number);
	warp->insns++;
	if (encode_joins_run(&warp->encoder, insn, mask))
		warp->encoder.run_length++;
	else
		begin_run(s, warp, insn, mask);
	return &warp->encoder;
}

static inline uint32_t slot_of(const struct cta_stream *s, uint32_t insn)
{
	return writer_table(s->writer)->insns[insn].slot;
}

void cta_stream_access(struct cta_stream *s, uint32_t number, uint32_t insn, uint64_t mask,
                       const uint64_t *address)
{
	struct warp_encoder *e = join_run(s, number, insn, mask);
	encode_addresses(e, slot_of(s, insn), (unsigned)__builtin_popcountll(mask), address);
}

void cta_stream_access_halves(struct cta_stream *s, uint32_t number, uint32_t insn, uint32_t halves,
                              const uint64_t *address)
{
	encode_halves(join_run(s, number, insn, UINT32_MAX), slot_of(s, insn), halves, address);
}

/* ---- CTAs ------------------------------------------------------------------------------------------- */

static void reserve_warps(struct cta_stream *s, uint32_t count)
{
	if (count > s->warp_capacity) {
		s->warps = memory_grow(s->warps, count, sizeof *s->warps);
		memset(s->warps + s->warp_capacity, 0, (count - s->warp_capacity) * sizeof *s->warps);
		s->warp_capacity = count;
	}
	s->warp_count = count;
}

static void start_warp(struct warp_stream *warp, struct trace_writer *w)
{
	encode_start_warp(&warp->encoder, writer_kernel(w)->k.warp_size);
	warp->encoder.lists = &w->lists;
	warp->raw.count = warp->stored.count = 0;
	warp->segment_start = warp->cut_count = warp->segments = 0;
	warp->insns = 0;
}

static struct cta_stream *take_stream(struct cta_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	struct cta_stream *s = pool->free;
	if (s)
		pool->free = s->next;
	pthread_mutex_unlock(&pool->lock);
	if (s)
		return s;
	s = memory_zeroed(1, sizeof *s);
	s->all = pool->all;
	pool->all = s;
	return s;
}

static void follow_order(void *user, void *item);

static struct cta_pool *new_pool(struct trace_writer *w)
{
	struct cta_pool *pool = memory_zeroed(1, sizeof *pool);
	pthread_mutex_init(&pool->lock, NULL);
	pool->orders = work_queue_new(ORDERS, sizeof(struct order), follow_order, w);
	return pool;
}

struct cta_stream *cta_stream_open(struct trace_writer *w, uint64_t cta)
{
	if (!w->in_kernel || w->in_cta)
		BUG("CTA outside a kernel or inside a CTA");
	const struct trace_kernel *k = &writer_kernel(w)->k;
	if (cta >= k->cta_count)
		BUG("CTA %llu is not in the grid", (unsigned long long)cta);
	if (!w->pool_of_ctas)
		w->pool_of_ctas = new_pool(w);
	struct cta_pool *pool = w->pool_of_ctas;
	struct cta_stream *s = take_stream(pool);
	pool->open++;
	s->writer = w;
	s->cta = cta;
	s->segmented = false;
	s->raw_bytes = 0;
	s->insns = 0;
	reserve_warps(s, k->warps_per_cta);
	for (uint32_t i = 0; i < s->warp_count; i++)
		start_warp(&s->warps[i], w);
	return s;
}

bool cta_stream_close(struct cta_stream *s, struct error *err)
{
	struct cta_pool *pool = s->writer->pool_of_ctas;
	for (uint32_t i = 0; i < s->warp_count; i++)
		end_run(s, &s->warps[i]);
	for (uint32_t i = 0; i < s->warp_count; i++) {
		s->insns += s->warps[i].insns;
		if (s->segmented)
			send_segment(s, &s->warps[i], s->warps[i].raw.bytes, (uint32_t)s->warps[i].raw.count);
	}
	struct order *order = work_queue_reserve(pool->orders);
	order->stream = s;
	order->warp = NO_WARP;
	work_queue_push(pool->orders);
	pool->open--;
	if (atomic_load(&pool->failed)) {
		*err = pool->failure;
		return false;
	}
	return true;
}

/* ---- the second thread -------------------------------------------------------------------------------- */

static bool compress_segment(struct cta_stream *s, const struct order *order, struct error *err)
{
	struct warp_stream *warp = &s->warps[order->warp];
	size_t stored;
	if (!writer_pack_segment(s->writer, order->segment, order->bytes, &stored, err))
		return false;
	buffer_append(&warp->stored, s->writer->stored, stored);
	warp->segments++;
	return true;
}

/* Warp table and streams, in warp order, in w->packed. */
static uint32_t pack_cta(const struct cta_stream *s)
{
	uint8_t *packed = s->writer->packed;
	uint32_t at = s->warp_count * FORMAT_WARP_BYTES;
	for (uint32_t i = 0; i < s->warp_count; i++) {
		const struct warp_stream *warp = &s->warps[i];
		if (warp->raw.count)
			memcpy(packed + at, warp->raw.bytes, warp->raw.count);
		at += (uint32_t)warp->raw.count;
		store_u64(packed + i * FORMAT_WARP_BYTES, warp->insns);
		store_u32(packed + i * FORMAT_WARP_BYTES + 8, (uint32_t)warp->raw.count);
	}
	return at;
}

static bool compress_cta(struct cta_stream *s, struct error *err)
{
	struct trace_writer *w = s->writer;
	s->chunk.count = 0;
	if (s->segmented || !s->insns)
		return true;
	s->packed_bytes = pack_cta(s);
	size_t stored;
	if (!writer_pack_cta(w, s->cta, w->packed, s->packed_bytes, &stored, err))
		return false;
	buffer_append(&s->chunk, w->stored, stored);
	return true;
}

static bool put_packed(const struct cta_stream *s, uint8_t *entry, struct error *err)
{
	const struct byte_buffer *chunk = &s->chunk;
	writer_index_packed(s->writer, entry, (uint32_t)chunk->count, s->packed_bytes,
	                    XXH3_64bits_withSeed(chunk->bytes, chunk->count, s->packed_bytes));
	return writer_put(s->writer, chunk->bytes, chunk->count, err);
}

static bool put_segmented(const struct cta_stream *s, uint8_t *entry, struct error *err)
{
	uint8_t head[FORMAT_MAX_WARPS * FORMAT_WARP_HEAD_BYTES];
	uint32_t bytes = s->warp_count * FORMAT_WARP_HEAD_BYTES;
	for (uint32_t i = 0; i < s->warp_count; i++) {
		const struct warp_stream *warp = &s->warps[i];
		const struct written_warp written = {.insns = warp->insns,
		                                     .offset = warp->segments ? s->writer->offset : 0,
		                                     .segments = warp->segments};
		writer_store_warp_head(head + i * FORMAT_WARP_HEAD_BYTES, &written);
		if (!writer_put(s->writer, warp->stored.bytes, warp->stored.count, err))
			return false;
	}
	writer_index_segmented(s->writer, entry, head, bytes);
	return writer_put(s->writer, head, bytes, err);
}

static bool put_cta(const struct cta_stream *s, struct error *err)
{
	uint8_t entry[FORMAT_INDEX_ENTRY_BYTES] = {0};
	writer_kernel(s->writer)->k.warp_insns += s->insns;
	if (s->segmented ? !put_segmented(s, entry, err) : s->insns && !put_packed(s, entry, err))
		return false;
	return writer_advance_cta(s->writer, entry, err);
}

static void keep_closed(struct cta_pool *pool, struct cta_stream *s)
{
	struct cta_stream **at = &pool->closed;
	while (*at && (*at)->cta < s->cta)
		at = &(*at)->next;
	s->next = *at;
	*at = s;
}

static bool put_first_closed(struct cta_pool *pool, struct error *err)
{
	struct cta_stream *s = pool->closed;
	bool ok = put_cta(s, err);
	pool->closed = s->next;
	pthread_mutex_lock(&pool->lock);
	s->next = pool->free;
	pool->free = s;
	pthread_mutex_unlock(&pool->lock);
	return ok;
}

/* Compress a closed CTA; write it and those that waited for it if it is next. */
static bool finish_cta(struct trace_writer *w, struct cta_stream *s, struct error *err)
{
	struct cta_pool *pool = w->pool_of_ctas;
	if (s->cta < w->next_cta)
		BUG("CTA %llu appears twice", (unsigned long long)s->cta);
	bool ok = compress_cta(s, err);
	keep_closed(pool, s);
	while (ok && pool->closed && pool->closed->cta == w->next_cta)
		ok = put_first_closed(pool, err);
	return ok;
}

static void follow_order(void *user, void *item)
{
	struct trace_writer *w = user;
	struct cta_pool *pool = w->pool_of_ctas;
	struct order *order = item;
	struct error err;
	if (atomic_load(&pool->failed))
		return;
	if (order->warp == NO_WARP ? finish_cta(w, order->stream, &err)
	                           : compress_segment(order->stream, order, &err))
		return;
	pool->failure = err;
	atomic_store(&pool->failed, true);
}

/* At the end of a launch: CTAs that never came are empty. */
bool writer_flush_ctas(struct trace_writer *w, struct error *err)
{
	struct cta_pool *pool = w->pool_of_ctas;
	if (!pool)
		return true;
	if (pool->open)
		BUG("end of a kernel with %u open CTAs", pool->open);
	work_queue_drain(pool->orders);
	if (atomic_load(&pool->failed)) {
		*err = pool->failure;
		return false;
	}
	while (pool->closed)
		if (!writer_skip_to_cta(w, pool->closed->cta, err) || !put_first_closed(pool, err))
			return false;
	return true;
}

static void free_stream(struct cta_stream *s)
{
	for (uint32_t i = 0; i < s->warp_capacity; i++) {
		free(s->warps[i].raw.bytes);
		free(s->warps[i].stored.bytes);
		free(s->warps[i].cuts);
	}
	free(s->warps);
	free(s->chunk.bytes);
	free(s);
}

void writer_free_ctas(struct trace_writer *w)
{
	if (!w->pool_of_ctas)
		return;
	work_queue_free(w->pool_of_ctas->orders);
	struct cta_stream *s = w->pool_of_ctas->all;
	while (s) {
		struct cta_stream *next = s->all;
		free_stream(s);
		s = next;
	}
	pthread_mutex_destroy(&w->pool_of_ctas->lock);
	free(w->pool_of_ctas);
}
