/* What the trace tests share: files, random streams, comparison of two traces. */
#ifndef SLUICE_TESTS_LIB_TRACE_FIXTURE_H
#define SLUICE_TESTS_LIB_TRACE_FIXTURE_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "test.h"
#include "trace/trace.h"

/* ---- files ------------------------------------------------------------------------------------------ */

static inline void fixture_write(const char *path, const void *bytes, size_t count)
{
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(bytes, 1, count, f) != count || fclose(f))
		abort();
}

static inline uint8_t *fixture_read(const char *path, size_t *count)
{
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END))
		abort();
	*count = (size_t)ftell(f);
	rewind(f);
	uint8_t *bytes = malloc(*count + 1);
	if (!bytes || fread(bytes, 1, *count, f) != *count)
		abort();
	bytes[*count] = 0;
	fclose(f);
	return bytes;
}

/* Whether two files hold the same bytes. */
static inline bool fixture_same(const char *one, const char *other)
{
	size_t count, other_count;
	uint8_t *bytes = fixture_read(one, &count), *other_bytes = fixture_read(other, &other_count);
	bool same = count == other_count && !memcmp(bytes, other_bytes, count);
	free(bytes);
	free(other_bytes);
	return same;
}

static inline unsigned fixture_count_files(const char *path)
{
	DIR *dir = opendir(path);
	unsigned n = 0;
	struct dirent *entry;
	while (dir && (entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return n;
}

/* ---- random numbers --------------------------------------------------------------------------------- */

static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
	return random_next(state) % limit;
}

/* ---- random streams --------------------------------------------------------------------------------- */

enum { FIXTURE_INSNS = 200 };

static inline bool fixture_is_memory(uint32_t insn)
{
	return insn % 7 == 3 || insn % 31 == 0;
}

static inline void fixture_add_insns(struct trace_writer *w)
{
	for (uint32_t i = 0; i < FIXTURE_INSNS; i++) {
		struct trace_insn insn = {
		    .pc = 16 * i,
		    .op = fixture_is_memory(i) ? OP_LOAD : OP_INT,
		    .space = fixture_is_memory(i) ? SPACE_GLOBAL : SPACE_NONE,
		    .width_bytes = fixture_is_memory(i) ? 4 : 0,
		    .flags = fixture_is_memory(i) ? INSN_MEMORY : 0,
		    .dst = (uint8_t)(i % 256),
		    .dst_span = 1,
		    .src_count = (uint8_t)(i % 6),
		    .src = {1, 2, 255, 4, 5},
		    .src_span = {1, 2, 1, 1, 1},
		};
		trace_writer_insn(w, &insn, fixture_is_memory(i) ? "LDG.E" : "IADD3");
	}
}

/* A warp's stream, made up as it is asked for: the same seed gives the same stream. */
struct stream {
	uint64_t random, lanes, mask;
	uint32_t insn;
	uint32_t warp_size;
	uint64_t base[FIXTURE_INSNS];
};

struct stream_step {
	uint32_t insn;
	uint64_t mask;
	unsigned lanes; /* addresses given; 0: no record */
	uint64_t address[TRACE_MAX_LANES];
};

static inline void stream_start(struct stream *s, uint64_t seed, uint32_t warp_size)
{
	memset(s, 0, sizeof *s);
	s->random = seed;
	s->warp_size = warp_size;
	s->lanes = warp_size == 64 ? UINT64_MAX : UINT32_MAX;
	s->mask = s->lanes;
}

static inline void stream_addresses(struct stream *s, struct stream_step *step)
{
	static const uint64_t reach[] = {100, 30000, 2000000000, UINT64_C(1) << 55};
	uint64_t *base = &s->base[step->insn];
	uint64_t range = reach[random_below(&s->random, 4)];
	*base =
	    random_below(&s->random, 3) ? *base + random_below(&s->random, range) : UINT64_C(0x7f0000000000);
	*base &= (UINT64_C(1) << 55) - 1;
	step->lanes = (unsigned)__builtin_popcountll(step->mask);
	uint64_t kind = random_below(&s->random, 4), at = *base;
	uint64_t stride = kind == 1 ? random_below(&s->random, range) : 4;
	for (unsigned i = 0; i < step->lanes; i++) {
		step->address[i] = at;
		at = kind == 3 ? random_below(&s->random, range) : at + stride;
		at &= (UINT64_C(1) << 55) - 1;
	}
}

static inline void stream_next(struct stream *s, struct stream_step *step)
{
	uint64_t what = random_below(&s->random, 16);
	if (what == 0)
		s->mask = random_next(&s->random) & s->lanes;
	else if (what == 1)
		s->mask = s->mask ? 0 : s->lanes;
	else if (what == 2)
		s->mask = UINT64_C(1) << random_below(&s->random, s->warp_size);
	if (what == 3 || s->insn == FIXTURE_INSNS)
		s->insn = (uint32_t)random_below(&s->random, FIXTURE_INSNS);
	step->insn = s->insn++;
	step->mask = s->mask;
	step->lanes = 0;
	if (step->mask && fixture_is_memory(step->insn))
		stream_addresses(s, step);
}

/* ---- comparison ------------------------------------------------------------------------------------- */

static inline bool same_addresses(const struct warp_step *a, const struct warp_step *b)
{
	uint64_t x[TRACE_MAX_LANES], y[TRACE_MAX_LANES];
	unsigned n = step_addresses(a, x);
	return n == step_addresses(b, y) && !memcmp(x, y, n * sizeof *x);
}

static inline bool same_static_insn(const struct trace_kernel *ka, const struct trace_insn *a,
                                    const struct trace_kernel *kb, const struct trace_insn *b)
{
	return a->pc == b->pc && a->flags == b->flags && a->op == b->op && a->space == b->space &&
	       a->width_bytes == b->width_bytes && a->dst == b->dst && a->dst_span == b->dst_span &&
	       a->src_count == b->src_count && !memcmp(a->src, b->src, a->src_count) &&
	       !memcmp(a->src_span, b->src_span, a->src_count) &&
	       !strcmp(trace_mnemonic(ka, a), trace_mnemonic(kb, b));
}

/* Number of equal steps of one CTA in both traces, or -1 at the first difference. */
static inline int64_t same_cta(struct trace_reader *ra, struct trace_reader *rb,
                               const struct trace_kernel *ka, const struct trace_kernel *kb, unsigned kernel,
                               uint64_t cta)
{
	struct error err;
	struct warp_cursor a[64], b[64];
	uint8_t *buffer_a = malloc(cta_buffer_bytes(ka)), *buffer_b = malloc(cta_buffer_bytes(kb));
	int64_t steps = trace_read_cta(ra, kernel, cta, buffer_a, a, &err) &&
	                        trace_read_cta(rb, kernel, cta, buffer_b, b, &err)
	                    ? 0
	                    : -1;
	for (uint32_t w = 0; steps >= 0 && w < ka->warps_per_cta; w++)
		for (;;) {
			struct warp_step x, y;
			enum cursor_result r = cursor_next(ra, ka, &a[w], &x, &err);
			if (r != cursor_next(rb, kb, &b[w], &y, &err) || r == CURSOR_ERROR) {
				steps = -1;
				break;
			}
			if (r == CURSOR_END)
				break;
			if (x.mask != y.mask || !same_addresses(&x, &y) ||
			    !same_static_insn(ka, &ka->insns[x.insn], kb, &kb->insns[y.insn])) {
				steps = -1;
				break;
			}
			steps++;
		}
	free(buffer_a);
	free(buffer_b);
	return steps;
}

/* Number of equal steps of both traces, or -1 at the first difference. */
static inline int64_t same_traces(const struct trace *a, const struct trace *b)
{
	if (trace_kernel_count(a) != trace_kernel_count(b))
		return -1;
	struct error err;
	struct trace_reader *ra = trace_reader_new(a, &err), *rb = trace_reader_new(b, &err);
	int64_t steps = 0;
	for (unsigned k = 0; steps >= 0 && k < trace_kernel_count(a); k++) {
		const struct trace_kernel *ka = trace_kernel_at(a, k), *kb = trace_kernel_at(b, k);
		if (strcmp(ka->name, kb->name) || ka->cta_count != kb->cta_count ||
		    ka->warps_per_cta != kb->warps_per_cta || ka->warp_insns != kb->warp_insns) {
			steps = -1;
			break;
		}
		for (uint64_t cta = 0; steps >= 0 && cta < ka->cta_count; cta++) {
			int64_t n = same_cta(ra, rb, ka, kb, k, cta);
			steps = n < 0 ? -1 : steps + n;
		}
	}
	trace_reader_free(ra);
	trace_reader_free(rb);
	return steps;
}

/* Shows every step of the trace's first kernel, warp by warp. */
typedef void see_step(const struct trace_kernel *k, struct warp_step *step, void *arg);
static inline void fixture_each_step(const struct trace *t, see_step *see, void *arg)
{
	struct error err;
	struct trace_reader *r = trace_reader_new(t, &err);
	const struct trace_kernel *k = trace_kernel_at(t, 0);
	uint8_t *buffer = malloc(cta_buffer_bytes(k));
	struct warp_cursor cursors[TRACE_MAX_WARPS];
	struct warp_step step;
	for (uint64_t cta = 0; cta < k->cta_count && trace_read_cta(r, 0, cta, buffer, cursors, &err); cta++)
		for (uint32_t w = 0; w < k->warps_per_cta; w++)
			while (cursor_next(r, k, &cursors[w], &step, &err) == CURSOR_STEP)
				see(k, &step, arg);
	free(buffer);
	trace_reader_free(r);
}

#endif
