/* What the Accel-Sim tests share: small trace texts, folders made of them, importing them. */
#ifndef SLUICE_TESTS_UNIT_TRACE_ACCELSIM_FIXTURE_H
#define SLUICE_TESTS_UNIT_TRACE_ACCELSIM_FIXTURE_H

#include <lzma.h>

#include "accelsim/accelsim.h"
#include "lib/trace_fixture.h"

#define HEADER_KEYS(version, grid, block)                                                                    \
	"-kernel name = _Z6vecAddPfS_S_i\n-kernel id = 3\n-grid dim = " grid "\n-block dim = " block         \
	"\n-shmem = 512\n-nregs = 22\n-binary version = 90\n-cuda stream id = 1\n"                           \
	"-shmem base_addr = 0x00007f5400000000\n-local mem base_addr = 0x00007f5319000000\n"                 \
	"-nvbit version = 1.7.7.1\n-accelsim tracer version = " version "\n"
#define HEADER(version, grid, block)                                                                         \
	HEADER_KEYS(version, grid, block) "\n#traces format = PC mask ...\n\n\n\n"

/* One CTA of one warp around the given instruction lines. */
#define ONE_WARP(version, count, lines)                                                                      \
	HEADER(version, "(1,1,1)", "(32,1,1)")                                                               \
	"#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " count "\n" lines "\n#END_TB\n"

/* A vector kernel as the tracer writes it: two CTAs of two warps, the second one partly predicated off. */
#define VECTOR_WARP(warp, base)                                                                              \
	"warp = " warp "\ninsts = 12\n"                                                                      \
	"0000 ffffffff 1 R1 LDC 0 0 \n"                                                                      \
	"0010 ffffffff 1 R8 S2R 0 0 \n"                                                                      \
	"0020 ffffffff 0 ULDC 0 0 \n"                                                                        \
	"0030 ffffffff 0 ISETP.GE.AND 1 R8 0 \n"                                                             \
	"0040 00000000 0 EXIT 0 0 \n"                                                                        \
	"0050 ffffffff 1 R2 IMAD.WIDE 2 R8 R2 0 \n"                                                          \
	"0060 ffffffff 1 R0 LDG.E 1 R2 4 1 0x" base "00 4 \n"                                                \
	"0070 00000001 1 R4 LDG.E.64 1 R2 8 2 0x" base "20 \n"                                               \
	"0080 80000003 1 R6 LDG.E 1 R4 4 2 0x" base "00 16 -4096 \n"                                         \
	"0090 00000000 0 STG.E 2 R2 R0 4 2 0x0 \n"                                                           \
	"00a0 ffffffff 0 STG.E 2 R2 R0 4 1 0x" base "80 0 \n"                                                \
	"00b0 ffffffff 0 EXIT 0 0 \n\n"
static const char vector_text[] =
    HEADER("3", "(2,1,1)", "(64,1,1)") "#BEGIN_TB\n\nthread block = 0,0,0\n\n" VECTOR_WARP("0", "7f52ec1800")
        VECTOR_WARP("1", "7f52ec1810") "#END_TB\n\n#BEGIN_TB\n\nthread block = 1,0,0\n\n" VECTOR_WARP(
            "0", "7f52ec1820") VECTOR_WARP("1", "7f52ec1830") "#END_TB\n";
enum { VECTOR_INSNS = 48 };

static inline void fixture_write_text(const char *path, const char *text)
{
	fixture_write(path, text, strlen(text));
}

/* A folder with kernelslist.g and one kernel file. */
static inline const char *fixture_folder(const char *name, const char *text)
{
	char file[64];
	const char *dir = scratch_path(name);
	mkdir(dir, 0777);
	snprintf(file, sizeof file, "%.32s/kernelslist.g", name);
	fixture_write_text(scratch_path(file),
	                   "MemcpyHtoD,0x00007f52ec180000,4096\n\nMemcpyDtoH,1,2\nkernel-1.traceg\n");
	snprintf(file, sizeof file, "%.32s/kernel-1.traceg", name);
	fixture_write_text(scratch_path(file), text);
	return dir;
}

/* The xz form of a text; the caller frees it. */
static inline uint8_t *fixture_xz(const char *text, size_t *bytes)
{
	size_t n = strlen(text), room = lzma_stream_buffer_bound(n);
	uint8_t *out = malloc(room);
	*bytes = 0;
	if (lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, n, out, bytes, room) !=
	    LZMA_OK)
		abort();
	return out;
}

static inline bool import_path(const char *path, const char *out, struct error *err)
{
	struct accelsim_import job = {.path = path, .out_path = out};
	return accelsim_import(&job, err);
}

/* Imports a kernel text; NULL with an error. */
static inline struct trace *import_text(const char *text, struct error *err)
{
	const char *source = scratch_path("text.traceg"), *out = scratch_path("text.sluice");
	fixture_write_text(source, text);
	return import_path(source, out, err) ? trace_open(out, err) : NULL;
}

/* The steps of one warp of one CTA of the first launch. */
struct steps {
	struct warp_step step[64];
	uint64_t address[64][TRACE_MAX_LANES];
	unsigned lanes[64], count;
};

static inline void read_steps(const struct trace *t, uint64_t cta, uint32_t warp, struct steps *s)
{
	struct error err;
	struct warp_cursor cursors[64];
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	struct trace_reader *r = trace_reader_new(t, &err);
	uint8_t *buffer = malloc(cta_buffer_bytes(k));
	s->count = 0;
	if (trace_read_cta(r, 0, cta, buffer, cursors, &err))
		while (s->count < 64 &&
		       cursor_next(r, k, &cursors[warp], &s->step[s->count], &err) == CURSOR_STEP) {
			s->lanes[s->count] = step_addresses(&s->step[s->count], s->address[s->count]);
			s->count++;
		}
	free(buffer);
	trace_reader_free(r);
}

#endif
