#include "accelsim/tracez.h"

#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/memory.h"

enum {
	MAX_HEADER_BYTES = 64 * 1024,
	MAX_DICTIONARY_BYTES = 16 << 20,
	WINDOW_LOG_MAX = 25, /* 32 MiB; frames of 2,048 instructions need less than 1 */
	IN_BYTES = 64 * 1024,
	TEXT_BYTES = 512, /* lines that are made here */
	FOOT_BYTES = 8,
	CTA_WORDS = 11,
};

enum tracez_state { AT_HEADER, AT_CTA, AT_WARP, AT_CHUNK, IN_CHUNK, AT_END };

/* Bytes of the file from a place on, read ahead. */
struct tracez_part {
	uint64_t at, limit; /* of what is not in the buffer yet */
	size_t first, count;
	uint8_t buffer[IN_BYTES];
};

struct tracez {
	const char *path;
	int fd;
	uint64_t bytes; /* of the file */
	enum tracez_state state;
	uint64_t data_at; /* where warps may begin */
	uint64_t index_at;
	ZSTD_DCtx *zstd;
	struct tracez_part index, data;
	uint32_t ctas, cta;     /* in the index; read so far */
	uint32_t warps, warp;   /* of the CTA */
	uint32_t chunks, chunk; /* of the warp */
	uint32_t chunk_left;    /* compressed bytes of the open chunk */
	size_t header_bytes;
	char *text; /* the header, or lines made here, not handed out yet: [text_at, text_end) */
	size_t text_at, text_end;
	char made[TEXT_BYTES];
	char header[MAX_HEADER_BYTES + TEXT_BYTES];
};

static bool damaged(const struct tracez *z, const char *what, struct error *err)
{
	return error_set(err, "%s: damaged .tracez: %s", z->path, what);
}

/* ---- bytes of the file ------------------------------------------------------------------------------ */

static void part_begin(struct tracez_part *part, uint64_t at, uint64_t limit)
{
	part->at = at;
	part->limit = limit;
	part->first = part->count = 0;
}

/* Read ahead; false at the part's end or on an error. */
static bool part_fill(const struct tracez *z, struct tracez_part *part, struct error *err)
{
	uint64_t left = part->limit - part->at;
	size_t want = left < IN_BYTES ? (size_t)left : IN_BYTES;
	ssize_t n;
	do
		n = want ? pread(z->fd, part->buffer, want, (off_t)part->at) : 0;
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_set(err, "%s: cannot read: %s", z->path, strerror(errno));
	if (!n)
		return damaged(z, "it ends early", err);
	part->at += (uint64_t)n;
	part->first = 0;
	part->count = (size_t)n;
	return true;
}

static bool part_take(const struct tracez *z, struct tracez_part *part, void *to, size_t bytes,
                      struct error *err)
{
	uint8_t *p = to;
	while (bytes) {
		if (!part->count && !part_fill(z, part, err))
			return false;
		size_t n = bytes < part->count ? bytes : part->count;
		memcpy(p, part->buffer + part->first, n);
		part->first += n;
		part->count -= n;
		p += n;
		bytes -= n;
	}
	return true;
}

static bool take_u32(const struct tracez *z, struct tracez_part *part, uint32_t *value, struct error *err)
{
	if (!part_take(z, part, value, sizeof *value, err))
		return false;
	*value = le32toh(*value);
	return true;
}

static bool take_u64(const struct tracez *z, struct tracez_part *part, uint64_t *value, struct error *err)
{
	if (!part_take(z, part, value, sizeof *value, err))
		return false;
	*value = le64toh(*value);
	return true;
}

/* ---- opening ---------------------------------------------------------------------------------------- */

/* The text up to a NUL; without its comments, since one ends the header of a kernel file. */
static bool read_header(struct tracez *z, struct error *err)
{
	size_t line = 0, bytes = 0;
	for (;; bytes++) {
		char c;
		if (bytes == MAX_HEADER_BYTES)
			return damaged(z, "its header does not end", err);
		if (!part_take(z, &z->data, &c, 1, err))
			return false;
		z->header[z->header_bytes++] = c ? c : '\n';
		if (c && c != '\n')
			continue;
		if (z->header[line] == '#')
			z->header_bytes = line;
		line = z->header_bytes;
		if (!c)
			break;
	}
	static const char end[] = "#traces format\n";
	memcpy(z->header + z->header_bytes, end, strlen(end));
	z->text = z->header;
	z->text_end = z->header_bytes + strlen(end);
	return true;
}

static bool read_dictionary(struct tracez *z, struct error *err)
{
	uint32_t bytes, chunk_insns;
	if (!take_u32(z, &z->data, &bytes, err) || !take_u32(z, &z->data, &chunk_insns, err))
		return false;
	if (bytes > MAX_DICTIONARY_BYTES || bytes > z->bytes)
		return damaged(z, "its dictionary is too large", err);
	if (!bytes)
		return true;
	uint8_t *dictionary = memory_grow(NULL, bytes, 1);
	bool ok = part_take(z, &z->data, dictionary, bytes, err);
	if (ok && ZSTD_isError(ZSTD_DCtx_loadDictionary(z->zstd, dictionary, bytes)))
		ok = damaged(z, "its dictionary is not usable", err);
	free(dictionary);
	return ok;
}

static bool read_foot(struct tracez *z, struct error *err)
{
	if (z->bytes < FOOT_BYTES)
		return damaged(z, "it is too short", err);
	part_begin(&z->index, z->bytes - FOOT_BYTES, z->bytes);
	if (!take_u64(z, &z->index, &z->index_at, err))
		return false;
	if (z->index_at > z->bytes - FOOT_BYTES)
		return damaged(z, "its index is outside the file", err);
	part_begin(&z->index, z->index_at, z->bytes - FOOT_BYTES);
	return take_u32(z, &z->index, &z->ctas, err);
}

struct tracez *tracez_open(int fd, const char *path, struct error *err)
{
	struct tracez *z = memory_zeroed(1, sizeof *z);
	struct stat st;
	z->fd = fd;
	z->path = path;
	z->zstd = ZSTD_createDCtx();
	bool ok =
	    z->zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(z->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX));
	if (!ok)
		error_set(err, "%s: out of memory", path);
	else if (fstat(fd, &st))
		ok = error_set(err, "%s: cannot stat: %s", path, strerror(errno));
	z->bytes = ok ? (uint64_t)st.st_size : 0;
	part_begin(&z->data, 0, z->bytes);
	ok = ok && read_header(z, err) && read_dictionary(z, err);
	z->data_at = z->data.at - z->data.count;
	if (ok && read_foot(z, err))
		return z;
	tracez_close(z);
	return NULL;
}

void tracez_close(struct tracez *z)
{
	if (!z)
		return;
	ZSTD_freeDCtx(z->zstd);
	free(z);
}

/* ---- from part to part ------------------------------------------------------------------------------ */

static bool make_text(struct tracez *z, int length)
{
	z->text = z->made;
	z->text_at = 0;
	z->text_end = (size_t)length;
	return true;
}

static bool open_cta(struct tracez *z, struct error *err)
{
	uint32_t w[CTA_WORDS];
	z->warp = 0;
	if (z->cta == z->ctas) {
		z->state = AT_END;
		return true;
	}
	z->cta++;
	for (unsigned i = 0; i < CTA_WORDS; i++)
		if (!take_u32(z, &z->index, &w[i], err))
			return false;
	z->warps = w[CTA_WORDS - 1];
	z->state = AT_WARP;
	return make_text(z, snprintf(z->made, sizeof z->made,
	                             "#BEGIN_TB\nthread block = %u,%u,%u\ncluster id = %u,%u,%u\n"
	                             "cluster cta = %u,%u,%u\ncluster rank = %u\n",
	                             w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9]));
}

static bool open_warp(struct tracez *z, struct error *err)
{
	if (z->warp == z->warps) {
		z->state = AT_CTA;
		return make_text(z, snprintf(z->made, sizeof z->made, "#END_TB\n"));
	}
	uint32_t insns, chunks, own_insns, own_chunks, chunk_insns;
	uint64_t at, sum = 0;
	if (!take_u32(z, &z->index, &insns, err) || !take_u32(z, &z->index, &chunks, err) ||
	    !take_u64(z, &z->index, &at, err))
		return false;
	for (uint32_t i = 0; i < chunks; i++, sum += chunk_insns)
		if (!take_u32(z, &z->index, &chunk_insns, err))
			return false;
	if (at < z->data_at || at > z->index_at)
		return damaged(z, "a warp is outside the file", err);
	part_begin(&z->data, at, z->index_at);
	if (!take_u32(z, &z->data, &own_insns, err) || !take_u32(z, &z->data, &own_chunks, err))
		return false;
	if (own_insns != insns || own_chunks != chunks || sum != insns)
		return damaged(z, "a warp and its place in the index do not agree", err);
	z->chunks = chunks;
	z->chunk = 0;
	z->state = AT_CHUNK;
	return make_text(z, snprintf(z->made, sizeof z->made, "warp = %u\ninsts = %u\n", z->warp++, insns));
}

static bool open_chunk(struct tracez *z, struct error *err)
{
	if (z->chunk == z->chunks) {
		z->state = AT_WARP;
		return true;
	}
	z->chunk++;
	if (!take_u32(z, &z->data, &z->chunk_left, err))
		return false;
	if (z->chunk_left > z->data.limit - z->data.at + z->data.count)
		return damaged(z, "a chunk is longer than the file", err);
	ZSTD_DCtx_reset(z->zstd, ZSTD_reset_session_only);
	z->state = IN_CHUNK;
	return true;
}

/* Decompress some of the open chunk; a newline closes its last line. */
static bool read_chunk(struct tracez *z, char *to, size_t room, size_t *bytes, struct error *err)
{
	ZSTD_outBuffer out = {to, room, 0};
	size_t left = 1;
	while (left && out.pos < room) {
		if (!z->data.count && z->chunk_left && !part_fill(z, &z->data, err))
			return false;
		size_t most = z->chunk_left < z->data.count ? z->chunk_left : z->data.count;
		ZSTD_inBuffer in = {z->data.buffer + z->data.first, most, 0};
		size_t before = out.pos;
		left = ZSTD_decompressStream(z->zstd, &out, &in);
		if (ZSTD_isError(left))
			return damaged(z, ZSTD_getErrorName(left), err);
		z->data.first += in.pos;
		z->data.count -= in.pos;
		z->chunk_left -= (uint32_t)in.pos;
		if (left && !in.pos && out.pos == before)
			return damaged(z, "a chunk is cut off", err);
	}
	*bytes = out.pos;
	if (left)
		return true;
	if (z->chunk_left)
		return damaged(z, "a chunk has more than one frame", err);
	z->state = AT_CHUNK;
	return make_text(z, snprintf(z->made, sizeof z->made, "\n"));
}

static bool go_on(struct tracez *z, struct error *err)
{
	switch (z->state) {
	case AT_HEADER:
		z->state = AT_CTA;
		return true;
	case AT_CTA:
		return open_cta(z, err);
	case AT_WARP:
		return open_warp(z, err);
	default:
		return open_chunk(z, err);
	}
}

bool tracez_read(struct tracez *z, char *to, size_t room, size_t *bytes, struct error *err)
{
	*bytes = 0;
	while (*bytes < room) {
		size_t n = z->text_end - z->text_at;
		if (n) {
			n = n < room - *bytes ? n : room - *bytes;
			memcpy(to + *bytes, z->text + z->text_at, n);
			z->text_at += n;
		} else if (z->state == AT_END) {
			break;
		} else if (z->state != IN_CHUNK) {
			if (!go_on(z, err))
				return false;
		} else if (!read_chunk(z, to + *bytes, room - *bytes, &n, err)) {
			return false;
		}
		*bytes += n;
	}
	return true;
}
