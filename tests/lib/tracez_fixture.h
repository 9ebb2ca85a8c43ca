/* A writer of .tracez: makes the binary form of a kernel file's text. */
#ifndef SLUICE_TESTS_LIB_TRACEZ_FIXTURE_H
#define SLUICE_TESTS_LIB_TRACEZ_FIXTURE_H

#include <endian.h>
#include <stdio.h>
#include <zstd.h>

#include "lib/trace_fixture.h"

struct tracez_writer {
	FILE *out, *index;
	char *index_bytes;
	size_t index_count;
	const char *dictionary;
	uint32_t ctas, warps; /* CTAs so far, warps of the open one */
	long warps_at;        /* where the CTA's number of warps stands in the index */
	unsigned chunk_insns;
};

static inline void tracez_u32(FILE *f, uint32_t v)
{
	v = htole32(v);
	fwrite(&v, sizeof v, 1, f);
}

static inline void tracez_u64(FILE *f, uint64_t v)
{
	v = htole64(v);
	fwrite(&v, sizeof v, 1, f);
}

static inline void tracez_chunk(struct tracez_writer *w, const char *text, size_t bytes)
{
	size_t room = ZSTD_compressBound(bytes), dictionary = w->dictionary ? strlen(w->dictionary) : 0;
	char *packed = malloc(room);
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	size_t n = ZSTD_compress_usingDict(zstd, packed, room, text, bytes, w->dictionary, dictionary, 3);
	if (ZSTD_isError(n))
		abort();
	tracez_u32(w->out, (uint32_t)n);
	fwrite(packed, 1, n, w->out);
	ZSTD_freeCCtx(zstd);
	free(packed);
}

/* `lines` are the warp's instructions; each ends in a newline. */
static inline void tracez_warp(struct tracez_writer *w, const char *lines, uint32_t insns)
{
	uint32_t chunks = (insns + w->chunk_insns - 1) / w->chunk_insns;
	tracez_u32(w->index, insns);
	tracez_u32(w->index, chunks);
	tracez_u64(w->index, (uint64_t)ftell(w->out));
	tracez_u32(w->out, insns);
	tracez_u32(w->out, chunks);
	for (uint32_t left = insns; left;) {
		uint32_t count = left < w->chunk_insns ? left : w->chunk_insns;
		const char *end = lines;
		for (uint32_t i = 0; i < count; i++)
			end = strchr(end, '\n') + 1;
		tracez_chunk(w, lines, (size_t)(end - lines) - 1);
		tracez_u32(w->index, count);
		lines = end;
		left -= count;
	}
	w->warps++;
}

static inline void tracez_end_cta(struct tracez_writer *w)
{
	fflush(w->index);
	uint32_t warps = htole32(w->warps);
	if (w->ctas)
		memcpy(w->index_bytes + w->warps_at, &warps, sizeof warps);
}

static inline void tracez_begin_cta(struct tracez_writer *w, const char *line)
{
	unsigned x = 0, y = 0, z = 0;
	tracez_end_cta(w);
	sscanf(line, "thread block = %u,%u,%u", &x, &y, &z);
	const uint32_t words[] = {x, y, z, x, y, z, 0, 0, 0, 0};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		tracez_u32(w->index, words[i]);
	w->warps_at = ftell(w->index);
	tracez_u32(w->index, 0);
	w->warps = 0;
	w->ctas++;
}

/* Write the kernel file `text`, whose CTAs have a "thread block" line and all of their warps in order, to `path`. */
static inline void tracez_write(const char *path, const char *text, unsigned chunk_insns,
                                const char *dictionary)
{
	struct tracez_writer w = {
	    .out = fopen(path, "wb"), .dictionary = dictionary, .chunk_insns = chunk_insns};
	w.index = open_memstream(&w.index_bytes, &w.index_count);
	const char *body = strstr(text, "#BEGIN_TB");
	fwrite(text, 1, (size_t)(body - text), w.out);
	fputc(0, w.out);
	tracez_u32(w.out, dictionary ? (uint32_t)strlen(dictionary) : 0);
	tracez_u32(w.out, chunk_insns);
	if (dictionary)
		fputs(dictionary, w.out);
	for (const char *line = body; line && *line; line = strchr(line, '\n') + 1) {
		unsigned insns;
		if (!strncmp(line, "thread block", 12))
			tracez_begin_cta(&w, line);
		if (sscanf(line, "insts = %u", &insns) == 1)
			tracez_warp(&w, strchr(line, '\n') + 1, insns);
	}
	tracez_end_cta(&w);
	uint64_t index_at = (uint64_t)ftell(w.out);
	tracez_u32(w.out, w.ctas);
	fwrite(w.index_bytes, 1, w.index_count, w.out);
	tracez_u64(w.out, index_at);
	if (fclose(w.out))
		abort();
	fclose(w.index);
	free(w.index_bytes);
}

#endif
