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

bool writer_put_header(struct trace_writer *w, const void *bytes, size_t count, struct error *err)
{
	if (!flush(w, err))
		return false;
	if (lseek(w->fd, 0, SEEK_SET) < 0)
		return error_set(err, "%s: cannot seek: %s", w->temporary, strerror(errno));
	return write_all(w, bytes, count, err);
}

bool writer_out_of_memory(const struct trace_writer *w, struct error *err)
{
	return error_set(err, "%s: out of memory, or more than %d static instructions in a kernel", w->path,
	                 FORMAT_MAX_INSNS);
}

/* Doubles at powers of two, so no capacity needs to be kept. */
bool writer_grow(void **array, uint32_t count, size_t element_bytes)
{
	if (count & (count - 1))
		return true;
	void *more = realloc(*array, (count ? 2 * (size_t)count : 1) * element_bytes);
	if (!more)
		return false;
	*array = more;
	return true;
}

/* The trace takes the place of what is there: of a file, never of a device. */
static bool check_target(const char *path, struct error *err)
{
	struct stat target;
	return stat(path, &target) || S_ISREG(target.st_mode) ||
	       error_set(err, "%s: not a regular file, which a trace must be", path);
}

/* A file of our own beside the target; not mkstemp(), which would make it unreadable for others. */
static bool create_temporary(struct trace_writer *w, struct error *err)
{
	size_t bytes = strlen(w->path) + 40;
	w->temporary = malloc(bytes);
	if (!w->temporary)
		return writer_out_of_memory(w, err);
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

static bool allocate_buffers(struct trace_writer *w)
{
	size_t raw = (size_t)FORMAT_MAX_WARPS * TRACE_SEGMENT_BYTES;
	w->stored_capacity = FORMAT_SEGMENT_HEAD_BYTES + ZSTD_compressBound(raw);
	w->raw = malloc(raw);
	w->packed = malloc(raw);
	w->stored = malloc(w->stored_capacity);
	w->index = malloc(FORMAT_INDEX_BLOCK_BYTES);
	w->buffer = malloc(BUFFER_BYTES);
	w->zstd = ZSTD_createCCtx();
	return w->raw && w->buffer && w->packed && w->stored && w->index && w->zstd &&
	       string_pool_add(&w->pool, "") == 0;
}

struct trace_writer *trace_writer_new(const char *path, struct error *err)
{
	struct trace_writer *w = calloc(1, sizeof *w);
	if (w) {
		w->path = strdup(path);
		w->level = LEVEL;
		w->fd = -1;
	}
	if (!w || !w->path || !allocate_buffers(w)) {
		error_set(err, "%s: out of memory", path);
		trace_writer_abort(w);
		return NULL;
	}
	static const uint8_t blank[FORMAT_HEADER_BYTES];
	if (!check_target(path, err) || !create_temporary(w, err) ||
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
	bool ok = !w->failed || writer_out_of_memory(w, err);
	ok = ok && writer_put_directory(w, err) && put_in_place(w, err);
	trace_writer_abort(w);
	return ok;
}

bool trace_writer_copy(struct trace_writer *w, uint64_t address, uint64_t bytes, struct error *err)
{
	if (!writer_grow((void **)&w->copies, w->copy_count, sizeof *w->copies))
		return writer_out_of_memory(w, err);
	w->copies[w->copy_count++] = (struct trace_copy){w->kernel_count, address, bytes};
	return true;
}

void trace_writer_warning(struct trace_writer *w, const char *text)
{
	uint32_t at = string_pool_add(&w->pool, text);
	if (at == UINT32_MAX || !writer_grow((void **)&w->warnings, w->warning_count, sizeof *w->warnings))
		w->failed = true;
	else
		w->warnings[w->warning_count++] = at;
}

/* Launches of one kernel function share a table; the latest tables are the likeliest. */
static bool find_table(struct trace_writer *w, uint32_t name, uint32_t binary_version, uint32_t *table)
{
	for (uint32_t i = w->table_count; i-- > 0;)
		if (w->tables[i].name == name && w->tables[i].binary_version == binary_version) {
			*table = i;
			return true;
		}
	if (!writer_grow((void **)&w->tables, w->table_count, sizeof *w->tables))
		return false;
	*table = w->table_count++;
	w->tables[*table] = (struct insn_table){.name = name, .binary_version = binary_version};
	return true;
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
	const char *what = format_check_kernel(&k.k);
	if (what)
		return error_set(err, "%s: kernel %u (%s): %s", w->path, w->kernel_count + 1, kernel->name,
		                 what);
	k.name = string_pool_add(&w->pool, kernel->name);
	if (k.name == UINT32_MAX || !find_table(w, k.name, kernel->binary_version, &k.table) ||
	    !writer_grow((void **)&w->kernels, w->kernel_count, sizeof *w->kernels))
		return writer_out_of_memory(w, err);
	w->kernels[w->kernel_count++] = k;
	w->in_kernel = true;
	w->next_cta = 0;
	w->block_count = 0;
	w->index_used = false;
	memset(w->index, 0, FORMAT_INDEX_BLOCK_BYTES);
	return true;
}

uint32_t trace_writer_insn(struct trace_writer *w, const struct trace_insn *insn, const char *mnemonic)
{
	if (!w->in_kernel)
		BUG("instruction outside a kernel");
	const char *what = format_check_insn(
	    &(struct trace_insn){.op = insn->op, .space = insn->space, .dst = TRACE_REG_NONE});
	if (what)
		BUG("%s: %s", mnemonic, what);
	struct trace_insn i = *insn;
	i.opcode = string_pool_add(&w->pool, mnemonic);
	uint32_t at =
	    i.opcode == UINT32_MAX ? UINT32_MAX : insn_table_add(&w->tables[writer_kernel(w)->table], &i);
	if (at == UINT32_MAX) {
		/* Said by the next call that can return an error. */
		w->failed = true;
		return 0;
	}
	return at;
}

static bool add_block_ref(struct trace_writer *w, uint64_t offset, uint64_t hash, struct error *err)
{
	if (w->block_count == w->block_capacity) {
		uint64_t capacity = w->block_capacity ? 2 * w->block_capacity : 16;
		uint64_t *more = realloc(w->block_refs, capacity * FORMAT_BLOCK_REF_BYTES);
		if (!more)
			return writer_out_of_memory(w, err);
		w->block_refs = more;
		w->block_capacity = capacity;
	}
	store_u64((uint8_t *)&w->block_refs[2 * w->block_count], offset);
	store_u64((uint8_t *)&w->block_refs[2 * w->block_count + 1], hash);
	w->block_count++;
	return true;
}

static bool end_index_block(struct trace_writer *w, struct error *err)
{
	if (!w->index_used)
		return add_block_ref(w, 0, 0, err);
	uint32_t ctas = format_block_ctas(writer_kernel(w)->k.cta_count, w->block_count);
	size_t bytes = (size_t)ctas * FORMAT_INDEX_ENTRY_BYTES;
	if (!add_block_ref(w, w->offset, XXH3_64bits_withSeed(w->index, bytes, 0), err) ||
	    !writer_put(w, w->index, bytes, err))
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

bool trace_writer_end_kernel(struct trace_writer *w, struct error *err)
{
	if (!w->in_kernel || w->in_cta)
		BUG("end of a kernel that was not begun, or inside a CTA");
	if (w->failed)
		return writer_out_of_memory(w, err);
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
