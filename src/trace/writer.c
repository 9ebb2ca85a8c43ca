/*
 * Writing a .sluice file: chunks as CTAs come, an index block every 4096
 * CTAs, the directory at the end, the header last, then the rename.
 */
#include "trace/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/output.h"

enum {
	BUFFER_BYTES = 1 << 18,
	/*
	 * Below 0, zstd leaves literals as they are: decoding takes two thirds of the instructions, files grow by a few
	 * per cent, and what repeats from CTA to CTA is matched all the same.
	 */
	LEVEL = -1,
};

static bool write_all(struct trace_writer *w, const uint8_t *bytes, size_t count, struct error *err)
{
	while (count) {
		ssize_t n = write(w->fd, bytes, count);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, "%s: cannot write: %s", w->temporary, strerror(errno));
		bytes += n;
		count -= (size_t)n;
	}
	return true;
}

static bool flush(struct trace_writer *w, struct error *err)
{
	size_t count = w->buffered;
	w->buffered = 0;
	return write_all(w, w->buffer, count, err);
}

bool writer_put(struct trace_writer *w, const void *bytes, size_t count, struct error *err)
{
	if (w->limit && w->offset + count > w->limit) {
		w->is_at_limit = true;
		return error_set(err, "%s: the recording would grow beyond its limit of %llu bytes", w->path,
		                 (unsigned long long)w->limit);
	}
	if (count > BUFFER_BYTES - w->buffered && !flush(w, err))
		return false;
	if (count > BUFFER_BYTES) {
		if (!write_all(w, bytes, count, err))
			return false;
	} else if (count) {
		memcpy(w->buffer + w->buffered, bytes, count);
		w->buffered += count;
	}
	w->offset += count;
	return true;
}

static bool overwrite_start(struct trace_writer *w, const void *bytes, size_t count, struct error *err)
{
	if (!flush(w, err))
		return false;
	if (lseek(w->fd, 0, SEEK_SET) < 0)
		return error_set(err, "%s: cannot seek: %s", w->temporary, strerror(errno));
	return write_all(w, bytes, count, err);
}

bool writer_fail_full(const struct trace_writer *w, struct error *err)
{
	return error_set(err, "%s: more than %d static instructions in a kernel, or more than 1 GiB of names",
	                 w->path, FORMAT_MAX_INSNS);
}

/* Return the array with room for count + 1 elements. It doubles at powers of two, so no capacity needs to be kept. */
static void *grow(void *array, uint32_t count, size_t element_bytes)
{
	return count & (count - 1) ? array : memory_grow(array, count ? 2 * (size_t)count : 1, element_bytes);
}

/* The trace replaces what is there: a file that this command does not read, never a device. */
static bool check_target(const char *path, struct error *err)
{
	struct stat target;
	if (!stat(path, &target) && !S_ISREG(target.st_mode))
		return error_set(err, "%s: not a regular file, which a trace must be", path);
	return output_allowed(path, err);
}

/* Create a file next to the target. Not by mkstemp(), which would make it unreadable for others. */
static bool create_temporary(struct trace_writer *w, struct error *err)
{
	size_t bytes = strlen(w->path) + 40;
	w->temporary = memory_grow(NULL, bytes, 1);
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(w->temporary, bytes, "%s.%ld-%u.tmp", w->path, (long)getpid(), i);
		w->fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (w->fd >= 0) {
			cleanup_add(w->temporary);
			flock(w->fd, LOCK_SH | LOCK_NB); /* in use: see cache_collect() */
			return true;
		}
		if (errno != EEXIST)
			break;
	}
	error_set(err, "%s: cannot create: %s", w->temporary, strerror(errno));
	free(w->temporary);
	w->temporary = NULL;
	return false;
}

static void allocate_buffers(struct trace_writer *w)
{
	size_t raw = (size_t)FORMAT_MAX_WARPS * TRACE_SEGMENT_BYTES;
	w->stored_capacity = FORMAT_SEGMENT_HEAD_BYTES + ZSTD_compressBound(raw);
	w->raw = memory_grow(NULL, raw, 1);
	w->packed = memory_grow(NULL, raw, 1);
	w->stored = memory_grow(NULL, w->stored_capacity, 1);
	w->index = memory_grow(NULL, FORMAT_INDEX_BLOCK_BYTES, 1);
	w->buffer = memory_grow(NULL, BUFFER_BYTES, 1);
	w->zstd = ZSTD_createCCtx();
	string_pool_add(&w->pool, "");
}

struct trace_writer *trace_writer_new(const char *path, struct error *err)
{
	static const uint8_t blank[FORMAT_HEADER_BYTES];
	struct trace_writer *w = memory_zeroed(1, sizeof *w);
	w->path = memory_text(path);
	w->level = LEVEL;
	w->fd = -1;
	allocate_buffers(w);
	if (!w->zstd)
		error_set(err, "%s: out of memory", path);
	if (!w->zstd || !check_target(path, err) || !create_temporary(w, err) ||
	    !writer_put(w, blank, sizeof blank, err)) {
		trace_writer_abort(w);
		return NULL;
	}
	return w;
}

void trace_writer_abort(struct trace_writer *w)
{
	if (!w)
		return;
	writer_free_ctas(w); /* before the file that they may still go to */
	if (w->fd >= 0)
		close(w->fd);
	if (w->temporary) {
		unlink(w->temporary);
		cleanup_done(w->temporary);
	}
	for (uint32_t i = 0; i < w->table_count; i++) {
		free(w->tables[i].insns);
		free(w->tables[i].index.slots);
	}
	for (uint32_t i = 0; i < w->kernel_count; i++)
		free(w->kernels[i].watched);
	ZSTD_freeCCtx(w->zstd);
	ZSTD_freeCDict(w->dictionary);
	free(w->pool.bytes);
	free(w->pool.index.slots);
	free(w->tables);
	free(w->kernels);
	free(w->copies);
	free(w->warnings);
	free(w->block_refs);
	free(w->index);
	free(w->buffer);
	free(w->raw);
	free(w->packed);
	free(w->stored);
	free(w->temporary);
	free(w->path);
	free(w);
}

void trace_writer_copy(struct trace_writer *w, uint64_t address, uint64_t bytes)
{
	w->copies = grow(w->copies, w->copy_count, sizeof *w->copies);
	w->copies[w->copy_count++] = (struct trace_copy){w->kernel_count, address, bytes};
}

void trace_writer_warning(struct trace_writer *w, const char *text)
{
	w->warnings = grow(w->warnings, w->warning_count, sizeof *w->warnings);
	w->warnings[w->warning_count++] = string_pool_add(&w->pool, text);
	w->is_full |= w->warnings[w->warning_count - 1] == UINT32_MAX;
}

/* Launches of one kernel function share a table; the search begins with the latest. */
static uint32_t find_table(struct trace_writer *w, uint32_t name, uint32_t binary_version)
{
	for (uint32_t i = w->table_count; i-- > 0;)
		if (w->tables[i].name == name && w->tables[i].binary_version == binary_version)
			return i;
	w->tables = grow(w->tables, w->table_count, sizeof *w->tables);
	w->tables[w->table_count] = (struct insn_table){.name = name, .binary_version = binary_version};
	return w->table_count++;
}

static void begin_index(struct trace_writer *w)
{
	w->next_cta = 0;
	w->block_count = 0;
	w->index_used = false;
	memset(w->index, 0, FORMAT_INDEX_BLOCK_BYTES);
}

bool trace_writer_begin_kernel(struct trace_writer *w, const struct trace_kernel *kernel, struct error *err)
{
	if (w->in_kernel)
		BUG("kernel inside a kernel");
	struct written_kernel k = {.k = *kernel, .dictionary_cta = FORMAT_NO_DICTIONARY};
	k.k.cta_count = (uint64_t)kernel->grid.x * kernel->grid.y * kernel->grid.z;
	k.k.warp_insns = 0;
	k.k.max_packed_bytes = 0;
	k.k.has_segments = false;
	k.k.watched = NULL;
	k.k.watched_count = 0;
	const char *what = format_check_kernel(&k.k);
	if (what)
		return error_set(err, "%s: kernel %u (%s): %s", w->path, w->kernel_count + 1, kernel->name,
		                 what);
	k.name = string_pool_add(&w->pool, kernel->name);
	if (k.name == UINT32_MAX)
		return writer_fail_full(w, err);
	k.table = find_table(w, k.name, kernel->binary_version);
	k.offset = w->offset;
	w->kernels = grow(w->kernels, w->kernel_count, sizeof *w->kernels);
	w->kernels[w->kernel_count++] = k;
	w->in_kernel = true;
	begin_index(w);
	return true;
}

bool trace_writer_restart_kernel(struct trace_writer *w, struct error *err)
{
	if (!w->in_kernel || w->in_cta || w->pool_of_ctas)
		BUG("restart of a kernel that was not begun, or inside a CTA");
	struct written_kernel *k = writer_kernel(w);
	if (!flush(w, err))
		return false;
	if (lseek(w->fd, (off_t)k->offset, SEEK_SET) < 0 || ftruncate(w->fd, (off_t)k->offset))
		return error_set(err, "%s: cannot shorten: %s", w->temporary, strerror(errno));
	w->offset = k->offset;
	k->k.warp_insns = 0;
	k->k.max_packed_bytes = 0;
	k->k.has_segments = false;
	k->dictionary_cta = FORMAT_NO_DICTIONARY;
	k->dictionary_bytes = 0;
	begin_index(w);
	return true;
}

uint32_t trace_writer_insn(struct trace_writer *w, const struct trace_insn *insn, const char *mnemonic)
{
	if (!w->in_kernel)
		BUG("instruction outside a kernel");
	const char *what = format_check_insn(&(struct trace_insn){
	    .flags = insn->flags, .op = insn->op, .space = insn->space, .dst = TRACE_REG_NONE});
	if (what)
		BUG("%s: %s", mnemonic, what);
	struct trace_insn i = *insn;
	i.opcode = string_pool_add(&w->pool, mnemonic);
	uint32_t at =
	    i.opcode == UINT32_MAX ? UINT32_MAX : insn_table_add(&w->tables[writer_kernel(w)->table], &i);
	if (at != UINT32_MAX)
		return at;
	w->is_full = true; /* reported by the next call that can return an error */
	return 0;
}

static void add_block_ref(struct trace_writer *w, uint64_t offset, uint64_t hash)
{
	if (w->block_count == w->block_capacity) {
		w->block_capacity = w->block_capacity ? 2 * w->block_capacity : 16;
		w->block_refs = memory_grow(w->block_refs, w->block_capacity, FORMAT_BLOCK_REF_BYTES);
	}
	store_u64((uint8_t *)&w->block_refs[2 * w->block_count], offset);
	store_u64((uint8_t *)&w->block_refs[2 * w->block_count + 1], hash);
	w->block_count++;
}

static bool end_index_block(struct trace_writer *w, struct error *err)
{
	if (!w->index_used) {
		add_block_ref(w, 0, 0);
		return true;
	}
	uint32_t ctas = format_block_ctas(writer_kernel(w)->k.cta_count, w->block_count);
	size_t bytes = (size_t)ctas * FORMAT_INDEX_ENTRY_BYTES;
	add_block_ref(w, w->offset, XXH3_64bits_withSeed(w->index, bytes, 0));
	if (!writer_put(w, w->index, bytes, err))
		return false;
	memset(w->index, 0, bytes);
	w->index_used = false;
	return true;
}

/* Block by block. */
bool writer_skip_to_cta(struct trace_writer *w, uint64_t cta, struct error *err)
{
	while (w->next_cta / FORMAT_INDEX_CTAS < cta / FORMAT_INDEX_CTAS) {
		if (!end_index_block(w, err))
			return false;
		w->next_cta = w->block_count * FORMAT_INDEX_CTAS;
	}
	w->next_cta = cta;
	return true;
}

bool writer_advance_cta(struct trace_writer *w, const uint8_t entry[FORMAT_INDEX_ENTRY_BYTES],
                        struct error *err)
{
	w->index_used |= load_u32(entry + 8) != 0;
	memcpy(w->index + w->next_cta % FORMAT_INDEX_CTAS * FORMAT_INDEX_ENTRY_BYTES, entry,
	       FORMAT_INDEX_ENTRY_BYTES);
	return writer_skip_to_cta(w, w->next_cta + 1, err);
}

bool trace_writer_begin_cta(struct trace_writer *w, uint64_t cta, struct error *err)
{
	if (!w->in_kernel || w->in_cta)
		BUG("CTA outside a kernel or inside a CTA");
	if (cta < w->next_cta || cta >= writer_kernel(w)->k.cta_count)
		return error_set(err, "%s: CTA %llu is out of order or not in the grid", w->path,
		                 (unsigned long long)cta);
	if (!writer_skip_to_cta(w, cta, err))
		return false;
	memset(w->warps, 0, sizeof w->warps);
	w->in_cta = true;
	w->in_warp = w->segmented = false;
	w->raw_bytes = w->segment_count = 0;
	return true;
}

bool trace_writer_end_cta(struct trace_writer *w, struct error *err)
{
	if (!w->in_cta)
		BUG("end of a CTA that was not begun");
	uint8_t entry[FORMAT_INDEX_ENTRY_BYTES];
	if (!writer_end_warp(w, err) || !writer_store_cta(w, entry, err))
		return false;
	w->in_cta = false;
	return writer_advance_cta(w, entry, err);
}

void trace_writer_watch(struct trace_writer *w, const uint64_t *addresses, uint32_t count)
{
	if (!w->in_kernel || writer_kernel(w)->watched)
		BUG("words watched outside a kernel, or twice");
	if (!count)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (!format_is_watchable(addresses, i))
			BUG("watched words are not in order");
	struct written_kernel *k = writer_kernel(w);
	k->watched = memory_grow(NULL, count, sizeof *addresses);
	memcpy(k->watched, addresses, count * sizeof *addresses);
	k->k.watched_count = count;
}

bool trace_writer_end_kernel(struct trace_writer *w, struct error *err)
{
	if (!w->in_kernel || w->in_cta)
		BUG("end of a kernel that was not begun, or inside a CTA");
	if (w->is_full)
		return writer_fail_full(w, err);
	struct written_kernel *k = writer_kernel(w);
	if (!writer_flush_ctas(w, err) || !writer_skip_to_cta(w, k->k.cta_count, err))
		return false;
	if (k->k.cta_count % FORMAT_INDEX_CTAS && !end_index_block(w, err))
		return false;
	k->k.insn_count = w->tables[k->table].count;
	k->index_offset = w->offset;
	size_t bytes = w->block_count * FORMAT_BLOCK_REF_BYTES;
	k->index_hash = XXH3_64bits(w->block_refs, bytes);
	w->in_kernel = false;
	return writer_put(w, w->block_refs, bytes, err);
}

/* ---- compression, and the index entries that lead to chunks -------------------------------------------- */

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
	return adopt_dictionary(w, cta, packed, bytes) || error_set(err, "%s: out of memory", w->path);
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

/* ---- the directory and the header ---------------------------------------------------------------------- */

static void store_kernel(uint8_t *p, const struct written_kernel *w)
{
	const struct trace_kernel *k = &w->k;
	const uint32_t words[] = {
	    w->name,          k->id,
	    k->stream,        k->grid.x,
	    k->grid.y,        k->grid.z,
	    k->block.x,       k->block.y,
	    k->block.z,       k->warp_size,
	    k->warps_per_cta, k->registers_per_thread,
	    k->shared_bytes,  k->binary_version,
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		store_u32(p + 4 * i, words[i]);
	store_u64(p + 56, k->shared_window);
	store_u64(p + 64, k->local_window);
	store_u64(p + 72, k->cta_count);
	store_u64(p + 80, k->warp_insns);
	store_u32(p + 88, w->table);
	store_u32(p + 92, k->insn_count);
	store_u32(p + 96, k->max_packed_bytes);
	store_u32(p + 100, k->has_segments ? FORMAT_KERNEL_SEGMENTED : 0);
	store_u64(p + 104, w->index_offset);
	store_u64(p + 112, w->index_hash);
	store_u64(p + 120, w->dictionary_cta);
	store_u32(p + 128, w->dictionary_bytes);
	store_u32(p + 132, k->watched_count);
}

static void store_insn(uint8_t *p, const struct trace_insn *i)
{
	store_u64(p, i->pc);
	store_u32(p + 8, i->source_line);
	store_u32(p + 12, i->opcode);
	store_u32(p + 16, i->flags);
	p[20] = i->op;
	p[21] = i->space;
	p[22] = i->width_bytes;
	p[23] = i->dst;
	p[24] = i->dst_span;
	p[25] = i->src_count;
	memcpy(p + 26, i->src, TRACE_MAX_SRC);
	memcpy(p + 31, i->src_span, TRACE_MAX_SRC);
	store_u32(p + 36, i->round);
}

static uint64_t count_insns(const struct trace_writer *w)
{
	uint64_t insns = 0;
	for (uint32_t i = 0; i < w->table_count; i++)
		insns += w->tables[i].count;
	return insns;
}

static uint64_t count_watched(const struct trace_writer *w)
{
	uint64_t words = 0;
	for (uint32_t i = 0; i < w->kernel_count; i++)
		words += w->kernels[i].k.watched_count;
	return words;
}

static uint8_t *store_watched(const struct trace_writer *w, uint8_t *p)
{
	for (uint32_t i = 0; i < w->kernel_count; i++)
		for (uint32_t j = 0; j < w->kernels[i].k.watched_count; j++, p += FORMAT_WATCHED_BYTES)
			store_u64(p, w->kernels[i].watched[j]);
	return p;
}

static uint8_t *store_tables(const struct trace_writer *w, uint8_t *p)
{
	for (uint32_t i = 0; i < w->table_count; i++, p += FORMAT_TABLE_BYTES)
		store_u32(p, w->tables[i].count);
	for (uint32_t i = 0; i < w->table_count; i++)
		for (uint32_t j = 0; j < w->tables[i].count; j++, p += FORMAT_INSN_BYTES)
			store_insn(p, &w->tables[i].insns[j]);
	return p;
}

static void store_directory(const struct trace_writer *w, uint8_t *p, uint32_t insns, uint32_t watched)
{
	const uint32_t counts[] = {w->kernel_count, w->table_count, w->copy_count, w->warning_count,
	                           insns,           w->pool.count,  watched,       0};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		store_u32(p + 4 * i, counts[i]);
	p += FORMAT_DIRECTORY_BYTES;
	for (uint32_t i = 0; i < w->kernel_count; i++, p += FORMAT_KERNEL_BYTES)
		store_kernel(p, &w->kernels[i]);
	p = store_tables(w, p);
	for (uint32_t i = 0; i < w->copy_count; i++, p += FORMAT_COPY_BYTES) {
		store_u32(p, w->copies[i].before_kernel);
		store_u32(p + 4, 0);
		store_u64(p + 8, w->copies[i].address);
		store_u64(p + 16, w->copies[i].bytes);
	}
	for (uint32_t i = 0; i < w->warning_count; i++, p += FORMAT_WARNING_BYTES)
		store_u32(p, w->warnings[i]);
	p = store_watched(w, p);
	memcpy(p, w->pool.bytes, w->pool.count);
}

static bool put_header(struct trace_writer *w, uint64_t offset, uint64_t bytes, uint64_t hash,
                       struct error *err)
{
	uint8_t header[FORMAT_HEADER_BYTES] = {0};
	memcpy(header, FORMAT_MAGIC, 8);
	store_u32(header + 8, FORMAT_VERSION);
	store_u64(header + 16, offset + bytes);
	store_u64(header + 24, offset);
	store_u64(header + 32, bytes);
	store_u64(header + 40, hash);
	store_u64(header + 56, XXH3_64bits_withSeed(header, 56, 0));
	return overwrite_start(w, header, sizeof header, err);
}

static bool put_directory(struct trace_writer *w, struct error *err)
{
	uint64_t insns = count_insns(w), watched = count_watched(w), offset = w->offset;
	uint64_t bytes = FORMAT_DIRECTORY_BYTES + (uint64_t)w->kernel_count * FORMAT_KERNEL_BYTES +
	                 (uint64_t)w->table_count * FORMAT_TABLE_BYTES + insns * FORMAT_INSN_BYTES +
	                 (uint64_t)w->copy_count * FORMAT_COPY_BYTES +
	                 (uint64_t)w->warning_count * FORMAT_WARNING_BYTES + watched * FORMAT_WATCHED_BYTES +
	                 w->pool.count;
	if (insns > UINT32_MAX || watched > UINT32_MAX)
		return writer_fail_full(w, err);
	uint8_t *directory = memory_grow(NULL, bytes, 1);
	store_directory(w, directory, (uint32_t)insns, (uint32_t)watched);
	uint64_t hash = XXH3_64bits_withSeed(directory, bytes, 0);
	bool ok = writer_put(w, directory, bytes, err) && put_header(w, offset, bytes, hash, err);
	free(directory);
	return ok;
}

static bool put_in_place(struct trace_writer *w, struct error *err)
{
	int fd = w->fd;
	w->fd = -1;
	if (close(fd))
		return error_set(err, "%s: cannot write: %s", w->temporary, strerror(errno));
	if (rename(w->temporary, w->path))
		return error_set(err, "%s: cannot rename to %s: %s", w->temporary, w->path, strerror(errno));
	cleanup_done(w->temporary);
	free(w->temporary);
	w->temporary = NULL;
	return true;
}

bool trace_writer_finish(struct trace_writer *w, struct error *err)
{
	if (w->in_kernel)
		BUG("trace finished inside a kernel");
	bool ok = !w->is_full || writer_fail_full(w, err);
	ok = ok && put_directory(w, err) && put_in_place(w, err);
	trace_writer_abort(w);
	return ok;
}
