/*
 * Opening a .sluice file: the header, the directory at its end (launches, static instruction tables, copies, warnings,
 * strings), then one pass over all streams. Every field is checked, since a forged file has right checksums. Chunks
 * must follow each other in the file, so that the pass takes time linear in the file's size whatever the index says.
 */
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/memory.h"
#include "base/read_files.h"
#include "base/safe_text.h"

bool trace_pread(const struct trace *t, uint64_t offset, void *to, size_t bytes, struct error *err)
{
	uint8_t *p = to;
	while (bytes) {
		ssize_t n = pread(t->fd, p, bytes, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, "%s: cannot read: %s", t->path, strerror(errno));
		if (!n)
			return error_set(err, "%s: file ends at byte %llu while it is being read", t->path,
			                 (unsigned long long)offset);
		p += n;
		offset += (uint64_t)n;
		bytes -= (size_t)n;
	}
	return true;
}

bool trace_hash_matches(const struct trace *t, const void *data, size_t bytes, uint64_t seed, uint64_t hash)
{
	return t->checks == TRACE_SKIP_CHECKSUMS || XXH3_64bits_withSeed(data, bytes, seed) == hash;
}

static bool open_file(struct trace *t, struct error *err)
{
	/* Without O_NONBLOCK, open() waits at a named pipe until a writer comes. */
	t->fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (t->fd < 0)
		return error_set(err, "%s: cannot open: %s", t->path, strerror(errno));
	struct stat st;
	if (fstat(t->fd, &st))
		return error_set(err, "%s: cannot stat: %s", t->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(err, "%s: not a regular file", t->path);
	t->file_bytes = (uint64_t)st.st_size;
	return true;
}

static bool read_header(struct trace *t, uint8_t header[FORMAT_HEADER_BYTES], struct error *err)
{
	if (t->file_bytes < FORMAT_HEADER_BYTES)
		return error_set(err, "%s: not a sluice trace: only %llu bytes", t->path,
		                 (unsigned long long)t->file_bytes);
	if (!trace_pread(t, 0, header, FORMAT_HEADER_BYTES, err))
		return false;
	if (memcmp(header, FORMAT_MAGIC, 8))
		return error_set(err, "%s: not a sluice trace: wrong magic bytes", t->path);
	uint32_t version = load_u32(header + 8);
	if (version < FORMAT_OLDEST_VERSION || version > FORMAT_VERSION)
		return error_set(err,
		                 "%s: trace format version %u, expected %d to %d: import or record it again",
		                 t->path, version, FORMAT_OLDEST_VERSION, FORMAT_VERSION);
	t->version = version;
	if (!trace_hash_matches(t, header, 56, 0, load_u64(header + 56)))
		return error_set(err, "%s: damaged trace: header checksum does not match", t->path);
	if (load_u64(header + 16) != t->file_bytes)
		return error_set(err, "%s: damaged trace: %llu bytes, expected %llu", t->path,
		                 (unsigned long long)t->file_bytes,
		                 (unsigned long long)load_u64(header + 16));
	return true;
}

/* ---- the directory ------------------------------------------------------------------------------------- */

struct sections {
	const uint8_t *kernels, *tables, *insns, *copies, *warnings, *watched;
	uint32_t insn_count, pool_bytes, watched_count;
};

static bool damaged(const struct trace *t, const char *what, struct error *err)
{
	return error_set(err, "%s: damaged trace: %s", t->path, what);
}

static bool find_sections(struct trace *t, uint64_t bytes, struct sections *s, struct error *err)
{
	if (bytes < FORMAT_DIRECTORY_BYTES)
		return damaged(t, "directory too short", err);
	const uint8_t *p = t->directory;
	t->kernel_count = load_u32(p);
	t->table_count = load_u32(p + 4);
	t->copy_count = load_u32(p + 8);
	t->warning_count = load_u32(p + 12);
	s->insn_count = load_u32(p + 16);
	s->pool_bytes = load_u32(p + 20);
	s->watched_count = t->version < FORMAT_HAS_POLLS ? 0 : load_u32(p + 24);
	s->kernels = p + FORMAT_DIRECTORY_BYTES;
	uint64_t kernels = (uint64_t)t->kernel_count * FORMAT_KERNEL_BYTES;
	uint64_t tables = (uint64_t)t->table_count * FORMAT_TABLE_BYTES;
	uint64_t insns = (uint64_t)s->insn_count * format_insn_bytes(t->version);
	uint64_t copies = (uint64_t)t->copy_count * FORMAT_COPY_BYTES;
	uint64_t warnings = (uint64_t)t->warning_count * FORMAT_WARNING_BYTES;
	uint64_t watched = (uint64_t)s->watched_count * FORMAT_WATCHED_BYTES;
	if (FORMAT_DIRECTORY_BYTES + kernels + tables + insns + copies + warnings + watched + s->pool_bytes !=
	    bytes)
		return damaged(t, "directory size does not fit its counts", err);
	s->tables = s->kernels + kernels;
	s->insns = s->tables + tables;
	s->copies = s->insns + insns;
	s->warnings = s->copies + copies;
	s->watched = s->warnings + warnings;
	char *pool = (char *)t->directory + (bytes - s->pool_bytes);
	t->pool = pool;
	if (!s->pool_bytes || t->pool[s->pool_bytes - 1])
		return damaged(t, "strings are not terminated", err);
	/* Names, mnemonics and warnings are printed. */
	safe_text(pool, s->pool_bytes, "");
	return true;
}

static void allocate(struct trace *t, const struct sections *s)
{
	t->kernels = memory_zeroed(t->kernel_count, sizeof *t->kernels);
	t->places = memory_zeroed(t->kernel_count, sizeof *t->places);
	t->insns = memory_zeroed(s->insn_count, sizeof *t->insns);
	t->copies = memory_zeroed(t->copy_count, sizeof *t->copies);
	t->warnings = memory_zeroed(t->warning_count, sizeof *t->warnings);
	t->watched = memory_zeroed(s->watched_count, sizeof *t->watched);
}

static bool parse_insn(const struct trace *t, const struct sections *s, const uint8_t *p,
                       struct trace_insn *insn, struct error *err)
{
	insn->pc = load_u64(p);
	insn->source_line = load_u32(p + 8);
	insn->opcode = load_u32(p + 12);
	bool is_old = t->version < FORMAT_HAS_POLLS;
	insn->flags = is_old ? load_u16(p + 16) : load_u32(p + 16);
	const uint8_t *q = p + (is_old ? 18 : 20);
	insn->op = q[0];
	insn->space = q[1];
	insn->width_bytes = q[2];
	insn->dst = q[3];
	insn->dst_span = q[4];
	insn->src_count = q[5];
	memcpy(insn->src, q + 6, TRACE_MAX_SRC);
	memcpy(insn->src_span, q + 6 + TRACE_MAX_SRC, TRACE_MAX_SRC);
	insn->round = is_old ? 0 : q[6 + 2 * TRACE_MAX_SRC];
	if (insn->opcode >= s->pool_bytes)
		return damaged(t, "mnemonic out of range", err);
	const char *what = format_check_insn(insn);
	return what ? damaged(t, what, err) : true;
}

static bool parse_kernel_fields(const struct trace *t, const struct sections *s, const uint8_t *p,
                                struct trace_kernel *k, struct error *err)
{
	uint32_t name = load_u32(p);
	if (name >= s->pool_bytes)
		return damaged(t, "kernel name out of range", err);
	k->name = t->pool + name;
	k->strings = t->pool;
	k->id = load_u32(p + 4);
	k->stream = load_u32(p + 8);
	k->grid = (struct trace_dim){load_u32(p + 12), load_u32(p + 16), load_u32(p + 20)};
	k->block = (struct trace_dim){load_u32(p + 24), load_u32(p + 28), load_u32(p + 32)};
	k->warp_size = load_u32(p + 36);
	k->warps_per_cta = load_u32(p + 40);
	k->registers_per_thread = load_u32(p + 44);
	k->shared_bytes = load_u32(p + 48);
	k->binary_version = load_u32(p + 52);
	k->shared_window = load_u64(p + 56);
	k->local_window = load_u64(p + 64);
	k->cta_count = load_u64(p + 72);
	k->warp_insns = load_u64(p + 80);
	k->insn_count = load_u32(p + 92);
	k->max_packed_bytes = load_u32(p + 96);
	k->has_segments = load_u32(p + 100) & FORMAT_KERNEL_SEGMENTED;
	k->watched_count = t->version < FORMAT_HAS_POLLS ? 0 : load_u32(p + 132);
	const char *what = format_check_kernel(k);
	if (what)
		return damaged(t, what, err);
	if (k->max_packed_bytes > k->warps_per_cta * TRACE_SEGMENT_BYTES)
		return damaged(t, "a CTA held whole is too large", err);
	return true;
}

static bool parse_kernel_place(const struct trace *t, const uint8_t *p, const struct trace_kernel *k,
                               struct kernel_place *place, struct error *err)
{
	place->index_offset = load_u64(p + 104);
	place->index_hash = load_u64(p + 112);
	place->dictionary_cta = load_u64(p + 120);
	place->dictionary_bytes = load_u32(p + 128);
	if (place->dictionary_bytes > FORMAT_DICTIONARY_BYTES ||
	    place->dictionary_bytes > k->max_packed_bytes)
		return damaged(t, "dictionary too large", err);
	bool has_dictionary = place->dictionary_cta != FORMAT_NO_DICTIONARY;
	if (has_dictionary ? place->dictionary_cta >= k->cta_count : place->dictionary_bytes != 0)
		return damaged(t, "dictionary out of range", err);
	return true;
}

/* Tables lie one after the other: store the first instruction of each, and the number of all behind the last. */
static bool parse_tables(const struct trace *t, const struct sections *s, uint32_t *first, struct error *err)
{
	uint64_t at = 0;
	for (uint32_t i = 0; i < t->table_count; i++) {
		first[i] = (uint32_t)at;
		at += load_u32(s->tables + (size_t)i * FORMAT_TABLE_BYTES);
		if (at > s->insn_count)
			break;
	}
	if (at != s->insn_count)
		return damaged(t, "instruction tables do not add up", err);
	first[t->table_count] = s->insn_count;
	return true;
}

/* Slots are not in the file: they follow from the order of a table's instructions. */
static void number_slots(struct trace *t, const uint32_t *first)
{
	for (uint32_t table = 0; table < t->table_count; table++) {
		uint32_t accesses = 0;
		for (uint32_t i = first[table]; i < first[table + 1]; i++) {
			struct trace_insn *insn = &t->insns[i];
			insn->slot = t->version < FORMAT_NUMBERS_ACCESSES
			                 ? (uint8_t)((i - first[table]) % FORMAT_OLD_SLOTS)
			                 : format_slot(accesses);
			accesses += (insn->flags & INSN_MEMORY) != 0;
		}
	}
}

/* Count the slots of the first `count` instructions. */
static uint32_t slots_of(const struct trace_insn *insns, uint32_t count)
{
	uint32_t slots = 0;
	for (uint32_t i = 0; i < count && slots < CURSOR_SLOTS; i++)
		if (insns[i].flags & INSN_MEMORY && insns[i].slot >= slots)
			slots = insns[i].slot + 1u;
	return slots;
}

static bool parse_kernels(struct trace *t, const struct sections *s, const uint32_t *first, struct error *err)
{
	for (uint32_t i = 0; i < t->kernel_count; i++) {
		const uint8_t *p = s->kernels + (size_t)i * FORMAT_KERNEL_BYTES;
		struct trace_kernel *k = &t->kernels[i];
		if (!parse_kernel_fields(t, s, p, k, err) || !parse_kernel_place(t, p, k, &t->places[i], err))
			return false;
		uint32_t table = load_u32(p + 88);
		if (table >= t->table_count || k->insn_count > first[table + 1] - first[table])
			return damaged(t, "instruction table out of range", err);
		k->insns = t->insns + first[table];
		k->slots = slots_of(k->insns, k->insn_count);
	}
	return true;
}

/* Give each launch its part of the watched words. */
static bool parse_watched(struct trace *t, const struct sections *s, struct error *err)
{
	uint64_t at = 0;
	for (uint32_t i = 0; i < s->watched_count; i++)
		t->watched[i] = load_u64(s->watched + (size_t)i * FORMAT_WATCHED_BYTES);
	for (uint32_t i = 0; i < t->kernel_count; i++) {
		struct trace_kernel *k = &t->kernels[i];
		if (k->watched_count > s->watched_count - at)
			return damaged(t, "watched words do not add up", err);
		k->watched = t->watched + at;
		for (uint32_t word = 0; word < k->watched_count; word++)
			if (!format_is_watchable(k->watched, word))
				return damaged(t, "watched words out of order", err);
		at += k->watched_count;
	}
	return at == s->watched_count || damaged(t, "watched words do not add up", err);
}

static bool parse_copies_and_warnings(struct trace *t, const struct sections *s, struct error *err)
{
	for (uint32_t i = 0; i < t->copy_count; i++) {
		const uint8_t *p = s->copies + (size_t)i * FORMAT_COPY_BYTES;
		t->copies[i] = (struct trace_copy){load_u32(p), load_u64(p + 8), load_u64(p + 16)};
		if (t->copies[i].before_kernel > t->kernel_count ||
		    (i && t->copies[i].before_kernel < t->copies[i - 1].before_kernel))
			return damaged(t, "copies out of order", err);
	}
	for (uint32_t i = 0; i < t->warning_count; i++) {
		uint32_t at = load_u32(s->warnings + (size_t)i * FORMAT_WARNING_BYTES);
		if (at >= s->pool_bytes)
			return damaged(t, "warning out of range", err);
		t->warnings[i] = t->pool + at;
	}
	return true;
}

static bool parse_directory(struct trace *t, uint64_t bytes, struct error *err)
{
	struct sections s = {0};
	if (!find_sections(t, bytes, &s, err))
		return false;
	allocate(t, &s);
	for (uint32_t i = 0; i < s.insn_count; i++)
		if (!parse_insn(t, &s, s.insns + (size_t)i * format_insn_bytes(t->version), &t->insns[i],
		                err))
			return false;
	uint32_t *first = memory_zeroed((size_t)t->table_count + 1, sizeof *first);
	bool ok = parse_tables(t, &s, first, err);
	if (ok)
		number_slots(t, first);
	ok = ok && parse_kernels(t, &s, first, err) && parse_watched(t, &s, err) &&
	     parse_copies_and_warnings(t, &s, err);
	free(first);
	return ok;
}

/* ---- the pass over all streams ------------------------------------------------------------------------- */

enum { WINDOW_BYTES = 1 << 20 };

struct scan {
	struct trace *trace;
	unsigned kernel;
	uint64_t frontier; /* end of the last chunk */
	uint64_t limit;    /* where the directory begins */
	uint64_t window_at;
	size_t window_bytes;
	uint8_t *window;
	uint8_t *index; /* one block */
	uint64_t held;  /* CTAs of the kernel that hold instructions */
};

static bool bad_launch(const struct scan *s, const char *what, struct error *err)
{
	return error_set(err, "%s: damaged trace: kernel %u: %s", s->trace->path, s->kernel + 1, what);
}

/* Return bytes of the file through a window that moves on; NULL with an error if they cannot be read. */
static const uint8_t *scan_bytes(struct scan *s, uint64_t offset, size_t bytes, struct error *err)
{
	if (bytes > WINDOW_BYTES || offset > s->limit || bytes > s->limit - offset) {
		bad_launch(s, "a chunk is outside the file", err);
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

/* Reserve a part of the file: parts must not overlap. */
static bool claim(struct scan *s, uint64_t offset, uint64_t bytes, struct error *err)
{
	if (offset < s->frontier || offset > s->limit || bytes > s->limit - offset)
		return bad_launch(s, "parts overlap or are outside the file", err);
	s->frontier = offset + bytes;
	return true;
}

/* Check one warp's chain of segments; move `*end` past it if it reaches further. */
static bool verify_chain(struct scan *s, const uint8_t *warp, uint64_t *end, struct error *err)
{
	uint64_t at = load_u64(warp);
	uint32_t segments = load_u32(warp + 16);
	if (segments && at < s->frontier)
		return bad_launch(s, "segments overlap other parts", err);
	while (segments--) {
		struct segment_head head;
		const uint8_t *p = scan_bytes(s, at, FORMAT_SEGMENT_HEAD_BYTES, err);
		if (!p)
			return false;
		if (!segment_read_head(p, &head))
			return bad_launch(s, "a segment has an impossible size", err);
		uint64_t seed = load_u64(p);
		at += FORMAT_SEGMENT_HEAD_BYTES;
		p = scan_bytes(s, at, head.stored_bytes, err);
		if (!p)
			return false;
		if (!trace_hash_matches(s->trace, p, head.stored_bytes, seed, head.hash))
			return bad_launch(s, "a segment's checksum does not match", err);
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
	if (!index_read_entry(s->trace, s->kernel, p, &e, err))
		return false;
	if (!e.stored_bytes)
		return true;
	s->held++;
	const uint8_t *stored = scan_bytes(s, e.offset, e.stored_bytes, err);
	if (!stored)
		return false;
	if (!trace_hash_matches(s->trace, stored, e.stored_bytes, e.raw_bytes, e.hash))
		return bad_launch(s, "a CTA's checksum does not match", err);
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
		return bad_launch(s, "index outside the file", err);
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
		return bad_launch(s, "index outside the file", err);
	XXH3_64bits_reset(hash);
	for (uint64_t i = 0; i < blocks; i++) {
		const uint8_t *p =
		    scan_bytes(s, offset + i * FORMAT_BLOCK_REF_BYTES, FORMAT_BLOCK_REF_BYTES, err);
		if (!p)
			return false;
		XXH3_64bits_update(hash, p, FORMAT_BLOCK_REF_BYTES);
	}
	if (s->trace->checks == TRACE_CHECK_ALL && XXH3_64bits_digest(hash) != place->index_hash)
		return bad_launch(s, "index checksum does not match", err);
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
	/* Empty CTAs are dispatched, too: a file of a few bytes must not cost hours of simulation. */
	if (ctas - s->held > FORMAT_MAX_EMPTY_CTAS)
		return error_set(
		    err, "%s: kernel %u: %llu of %llu CTAs hold no instructions; at most %d may be left out",
		    s->trace->path, s->kernel + 1, (unsigned long long)(ctas - s->held),
		    (unsigned long long)ctas, FORMAT_MAX_EMPTY_CTAS);
	place->stream_bytes = s->frontier - begin;
	return true;
}

static bool verify_streams(struct trace *t, struct error *err)
{
	uint8_t header[FORMAT_HEADER_BYTES];
	if (!trace_pread(t, 0, header, sizeof header, err))
		return false;
	struct scan s = {.trace = t, .frontier = FORMAT_HEADER_BYTES, .limit = load_u64(header + 24)};
	s.window = memory_grow(NULL, WINDOW_BYTES, 1);
	s.index = memory_grow(NULL, FORMAT_INDEX_BLOCK_BYTES, 1);
	XXH3_state_t *hash = XXH3_createState();
	bool ok = hash || error_set(err, "%s: out of memory", t->path);
	for (; ok && s.kernel < t->kernel_count; s.kernel++)
		ok = verify_kernel(&s, hash, err);
	XXH3_freeState(hash);
	free(s.index);
	free(s.window);
	return ok;
}

/* ---- opening ---------------------------------------------------------------------------------------------- */

static bool load_directory(struct trace *t, struct error *err)
{
	uint8_t header[FORMAT_HEADER_BYTES];
	if (!read_header(t, header, err))
		return false;
	uint64_t offset = load_u64(header + 24), bytes = load_u64(header + 32);
	if (offset < FORMAT_HEADER_BYTES || offset > t->file_bytes || bytes != t->file_bytes - offset)
		return error_set(err, "%s: damaged trace: directory out of range", t->path);
	t->directory = memory_grow(NULL, bytes, 1);
	if (!trace_pread(t, offset, t->directory, bytes, err))
		return false;
	if (!trace_hash_matches(t, t->directory, bytes, 0, load_u64(header + 40)))
		return error_set(err, "%s: damaged trace: directory checksum does not match", t->path);
	return parse_directory(t, bytes, err);
}

struct trace *trace_open_checked(const char *path, enum trace_checks checks, struct error *err)
{
	struct trace *t = memory_zeroed(1, sizeof *t);
	t->fd = -1;
	t->checks = checks;
	t->path = memory_text(path);
	if (!open_file(t, err) || !load_directory(t, err) || !verify_streams(t, err)) {
		trace_close(t);
		return NULL;
	}
	read_files_note(t->fd, path); /* not before: a damaged entry of the cache is replaced */
	return t;
}

struct trace *trace_open(const char *path, struct error *err)
{
	return trace_open_checked(path, TRACE_CHECK_ALL, err);
}

void trace_close(struct trace *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	free(t->path);
	free(t->directory);
	free(t->kernels);
	free(t->places);
	free(t->insns);
	free(t->copies);
	free(t->warnings);
	free(t->watched);
	free(t);
}

const char *trace_path(const struct trace *t)
{
	return t->path;
}

unsigned trace_kernel_count(const struct trace *t)
{
	return t->kernel_count;
}

const struct trace_kernel *trace_kernel_at(const struct trace *t, unsigned index)
{
	return index < t->kernel_count ? &t->kernels[index] : NULL;
}

uint64_t trace_file_bytes(const struct trace *t)
{
	return t->file_bytes;
}

uint64_t trace_kernel_bytes(const struct trace *t, unsigned index)
{
	return index < t->kernel_count ? t->places[index].stream_bytes : 0;
}

size_t trace_copies(const struct trace *t, const struct trace_copy **copies)
{
	*copies = t->copies;
	return t->copy_count;
}

const char *trace_warning(const struct trace *t, unsigned i)
{
	return i < t->warning_count ? t->warnings[i] : NULL;
}
