/* The ready-made traces: a few thousand warp instructions each, every kind of access among them. */
#include <stdlib.h>
#include <string.h>

#include "lib/synth.h"

#define A UINT64_C(0x10000000) /* arrays, far apart */
#define B UINT64_C(0x20000000)
#define C UINT64_C(0x30000000)
#define LOCAL UINT64_C(0x7f4000000000)

enum { EXIT_AT = 1000 };

static void leave(struct synth *s, uint64_t mask)
{
	synth_plain(s, synth_op(EXIT_AT, OP_EXIT, 0, 0), mask);
}

static unsigned lane_count(uint64_t mask)
{
	return (unsigned)__builtin_popcountll(mask);
}

/* How many CTAs there are for each that is made. */
static uint32_t ctas_for_one = 1;

static uint32_t some_of(uint32_t ctas)
{
	return (ctas + ctas_for_one - 1) / ctas_for_one;
}

/* ---- one maker per kind ---------------------------------------------------------------------------------- */

typedef void body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random);

/* A grid in which every warp runs `fill`, with random numbers of its own. */
static struct trace *grid(struct synth_shape shape, body *fill)
{
	struct synth *s = synth_new();
	shape.ctas = some_of(shape.ctas);
	synth_kernel(s, &shape);
	for (uint64_t cta = 0; cta < shape.ctas; cta++)
		for (uint32_t w = 0; w < shape.warps; w++) {
			uint64_t random = cta * 64 + w + 1;
			synth_warp(s, cta, w);
			fill(s, cta, w, synth_lanes(shape.warp_size), &random);
		}
	return synth_finish(s);
}

static struct trace *vector_add(uint32_t size)
{
	return synth_vector_add(some_of(24), 4, size, 4, 3);
}

static struct trace *row_walk(uint32_t size)
{
	return synth_row_walk(some_of(8), 4, size, 16384, 12);
}

static void chase_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	(void)cta, (void)warp, (void)lanes;
	for (int i = 0; i < 60; i++)
		synth_stride(s, synth_load(1, 2, 2), 1, A + synth_random(random) % 65536 * 8, 0);
}

static struct trace *pointer_chase(uint32_t size)
{
	return grid((struct synth_shape){"pointer_chase", 5, 1, size, 0, 0}, chase_body);
}

/* All widths, all strides, over line borders. */
static void strided_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	static const uint8_t widths[] = {1, 2, 4, 8, 16};
	static const int64_t strides[] = {0, 1, 2, 4, 8, 12, 16, 32, 36, 64, 128, 260, -4, -128};
	for (uint32_t i = 0; i < 14; i++) {
		uint8_t width = widths[synth_random(random) % 5];
		uint64_t base = A + (cta * 4 + warp) * 65536 + 16384 + synth_random(random) % 128;
		synth_stride(s, synth_memory(i, OP_LOAD, SPACE_GLOBAL, width, 8, 2), lanes, base, strides[i]);
		synth_stride(s, synth_memory(20 + i, OP_STORE, SPACE_GLOBAL, width, 8, 2), lanes, base,
		             strides[i]);
	}
	leave(s, lanes);
}

static struct trace *strided(uint32_t size)
{
	return grid((struct synth_shape){"strided", 12, 4, size, 0, 0}, strided_body);
}

static void random_list(struct synth *s, struct trace_insn insn, uint64_t mask, uint64_t base, uint64_t words,
                        uint64_t *random)
{
	uint64_t address[TRACE_MAX_LANES];
	for (unsigned i = 0; i < lane_count(mask); i++)
		address[i] = base + synth_random(random) % words * 4;
	synth_list(s, insn, mask, address);
}

static void scatter_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	(void)cta, (void)warp;
	for (int i = 0; i < 10; i++) {
		random_list(s, synth_memory(1, OP_STORE, SPACE_GLOBAL, 4, 4, 2), lanes, A, 1 << 18, random);
		synth_plain(s, synth_op(2, OP_INT, 4, 4), lanes);
	}
}

static struct trace *scattered_stores(uint32_t size)
{
	return grid((struct synth_shape){"scattered_stores", 10, 3, size, 0, 0}, scatter_body);
}

static void gather_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	(void)cta, (void)warp;
	for (int i = 0; i < 12; i++) {
		random_list(s, synth_load(1, 4, 2), lanes, A, 1 << 15, random);
		random_list(s, synth_load(2, 5, 2), lanes, A, 1 << 10, random);
		synth_plain(s, synth_op(3, OP_FP32, 4, 5), lanes);
	}
	leave(s, lanes);
}

static struct trace *random_gather(uint32_t size)
{
	return grid((struct synth_shape){"random_gather", 10, 4, size, 0, 0}, gather_body);
}

static void atomics(struct synth *s, uint64_t lanes, uint64_t words, uint64_t *random)
{
	struct trace_insn cas = synth_memory(3, OP_ATOMIC, SPACE_GLOBAL, 4, 5, 2);
	cas.flags |= INSN_CAS;
	for (int i = 0; i < 6; i++) {
		random_list(s, synth_memory(1, OP_ATOMIC, SPACE_GLOBAL, 4, 4, 2), lanes, A, words, random);
		random_list(s, synth_memory(2, OP_REDUCE, SPACE_GLOBAL, 4, 4, 2), lanes, A, words, random);
		random_list(s, cas, lanes & 0xff, A, words, random);
		random_list(s, synth_load(4, 6, 5), lanes, A, words, random);
	}
}

static void few_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	(void)cta, (void)warp;
	atomics(s, lanes, 4, random);
}

static void many_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	(void)cta, (void)warp;
	atomics(s, lanes, 1 << 16, random);
}

static struct trace *atomics_few(uint32_t size)
{
	return grid((struct synth_shape){"atomics_few", 9, 4, size, 0, 0}, few_body);
}

static struct trace *atomics_many(uint32_t size)
{
	return grid((struct synth_shape){"atomics_many", 9, 4, size, 0, 0}, many_body);
}

/* Warps reach barriers at different times, leave before the last one, or have nothing at all to do. */
static void barrier_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	if (warp == 3 && cta % 2)
		return;
	for (uint32_t round = 0; round < 5 - (warp == 1 ? cta % 4 : 0); round++) {
		for (uint64_t i = synth_random(random) % (8 * (warp + 1)); i; i--)
			synth_plain(s, synth_op(1, OP_FP32, 4, 4), lanes);
		random_list(s, synth_load(2, 4, 2), lanes & 0xf, A, 4096, random);
		synth_plain(s, synth_op(3, OP_ARRIVE, 0, 0), lanes);
		synth_plain(s, synth_op(4, OP_BARRIER, 0, 0), warp == 2 && round == 1 ? 0 : lanes);
	}
	if (warp != 4)
		leave(s, lanes); /* the last of warp 4 is a barrier */
}

static struct trace *barriers_uneven(uint32_t size)
{
	return grid((struct synth_shape){"barriers_uneven", 20, 6, size, 0, 0}, barrier_body);
}

static void divergent_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	for (uint32_t i = 0; i < 12; i++) {
		uint64_t taken = synth_random(random) & lanes, rest = lanes & ~taken;
		struct trace_insn compare = synth_op(1, OP_INT, 0, 2), branch = synth_op(2, OP_BRANCH, 0, 0);
		compare.flags |= INSN_SETS_PREDICATE;
		branch.flags |= INSN_USES_PREDICATE;
		synth_plain(s, compare, lanes);
		synth_plain(s, branch, taken);
		synth_stride(s, synth_memory(3, OP_LOAD, SPACE_GLOBAL, 8, 4, 2), taken,
		             A + (cta + warp) * 512, 8);
		synth_stride(s, synth_load(4, 6, 2), rest, B + i * 64, 132);
		synth_plain(s, synth_load(5, 6, 2), 0);
		synth_stride(s, synth_memory(6, OP_STORE, SPACE_GLOBAL, 4, 6, 2), rest, C + i * 64, 4);
		synth_plain(s, synth_op(7, OP_RECONVERGE, 0, 0), lanes);
	}
	leave(s, lanes);
}

static struct trace *divergent(uint32_t size)
{
	return grid((struct synth_shape){"divergent", 12, 4, size, 0, 0}, divergent_body);
}

static void shared_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	static const int64_t strides[] = {0, 4, 8, 16, 128, 132};
	(void)cta, (void)random;
	for (uint32_t i = 0; i < 6; i++) {
		struct trace_insn generic = synth_memory(4, OP_LOAD, SPACE_GENERIC, 4, 6, 2);
		synth_stride(s, synth_memory(1, OP_STORE, SPACE_SHARED, 4, 4, 2), lanes, warp * 64,
		             strides[i]);
		synth_plain(s, synth_op(2, OP_BARRIER, 0, 0), lanes);
		synth_stride(s, synth_memory(3, OP_LOAD, SPACE_SHARED, 8, 4, 2), lanes, warp * 64,
		             strides[i]);
		synth_stride(s, generic, lanes, UINT64_C(0x7f0000000000) + i * 4, strides[i]);
		synth_stride(s, synth_memory(5, OP_ATOMIC, SPACE_SHARED, 4, 8, 4), lanes, warp * 64,
		             strides[i]);
		synth_stride(s, synth_memory(6, OP_REDUCE, SPACE_SHARED, 4, 8, 6), lanes, 0, 0);
		synth_plain(s, synth_op(7, OP_SHUFFLE, 8, 8), lanes);
	}
	leave(s, lanes);
}

static struct trace *shared_conflicts(uint32_t size)
{
	return grid((struct synth_shape){"shared_conflicts", 12, 4, size, 12288, 0}, shared_body);
}

/* Warp 0 fills a ring of two with bulk copies, the others empty it; each also copies and waits for all copies. */
static void mbarrier_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	enum { STEPS = 4, RING = 2, PIECES = 2, FULL = 512, EMPTY = 640, COPIED = 768 };
	uint16_t all = (uint16_t)__builtin_popcountll(lanes);
	(void)random;
	for (uint32_t i = 0; i < STEPS; i++) {
		uint64_t at = i % RING * 8, global = 0x100000 + cta * 65536 + i * 2048 + warp * 8192;
		uint16_t round = (uint16_t)(i / RING), next = (uint16_t)(round + 1);
		if (warp) {
			synth_copy(s, 1, lanes, global);
			synth_copy_arrive(s, 2, lanes, COPIED);
			synth_phase_wait(s, 3, lanes, FULL + at,
			                 (struct phase_counts){next, (uint16_t)(next * PIECES)});
			synth_stride(s, synth_memory(4, OP_LOAD, SPACE_SHARED, 4, 4, 2), lanes, 0, 4);
			synth_phase_wait(s, 5, lanes, COPIED,
			                 (struct phase_counts){(uint16_t)(3 * all * (i + 1)), 0});
			synth_change(s, 6, lanes, EMPTY + at);
			continue;
		}
		if (round)
			synth_phase_wait(s, 7, 1, EMPTY + at,
			                 (struct phase_counts){(uint16_t)(3 * all * round), 0});
		synth_change(s, 8, 1, FULL + at);
		for (uint32_t p = 0; p < PIECES; p++)
			synth_bulk(s, 9, global + p * 512, FULL + at);
	}
	leave(s, lanes);
}

static struct trace *mbarriers(uint32_t size)
{
	return grid((struct synth_shape){"mbarriers", 6, 4, size, 1024, 0}, mbarrier_body);
}

/* CTAs and warps without a single instruction, between others and at the end. */
static struct trace *empty(uint32_t size)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"empty", 70, 4, size, 0, 0});
	for (uint64_t cta = 0; cta < 60; cta += 1 + cta % 5)
		for (uint32_t w = (uint32_t)cta % 3; w < 4; w += 2) {
			synth_warp(s, cta, w);
			synth_plain(s, synth_op(1, OP_INT, 4, 4), synth_lanes(size));
		}
	return synth_finish(s);
}

static void tiny_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	(void)warp, (void)random;
	synth_stride(s, synth_load(1, 4, 2), lanes, A + cta * 256, 4);
	synth_stride(s, synth_memory(2, OP_STORE, SPACE_GLOBAL, 4, 4, 2), lanes, B + cta * 256, 4);
	leave(s, lanes);
}

static struct trace *tiny_ctas(uint32_t size)
{
	return grid((struct synth_shape){"tiny_ctas", 900, 1, size, 0, 0}, tiny_body);
}

static void huge_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	(void)cta;
	for (uint32_t i = 0; i < 12; i++) {
		synth_stride(s, synth_memory(1, OP_LOAD, SPACE_GLOBAL, 16, 8, 2), lanes,
		             A + (i * 32 + warp) * 1024, 16);
		random_list(s, synth_load(2, 4, 2), lanes, B, 2048, random);
		synth_plain(s, synth_op(3, OP_BARRIER, 0, 0), lanes);
		synth_plain(s, synth_op(4, OP_SFU, 4, 8), lanes);
	}
	leave(s, lanes);
}

static struct trace *huge_cta(uint32_t size)
{
	return grid((struct synth_shape){"huge_cta", 1, 1024 / size, size, 16384, 32}, huge_body);
}

/* Spilled registers: written, read back, overwritten, during a global stream that pushes them out. */
static void local_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	uint64_t frame = LOCAL + (cta * 4 + warp) * 8192;
	for (uint32_t i = 0; i < 16; i++) {
		uint64_t slot = frame + synth_random(random) % 12 * 256;
		synth_stride(s, synth_memory(1, OP_STORE, SPACE_LOCAL, 4, 4, 2), lanes, slot, 4);
		synth_stride(s, synth_memory(2, OP_LOAD, SPACE_LOCAL, 4, 5, 2), lanes, frame + i % 12 * 256,
		             4);
		random_list(s, synth_load(3, 6, 5), lanes & 0xff, A, 1 << 13, random);
		synth_plain(s, synth_op(4, OP_FP32, 4, 6), lanes);
	}
	leave(s, lanes);
}

static struct trace *local_memory(uint32_t size)
{
	return grid((struct synth_shape){"local_memory", 10, 4, size, 0, 0}, local_body);
}

/* Fences with loads in flight, followed by loads of the same lines. */
static void fence_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	struct trace_insn fence = synth_op(4, OP_FENCE, 0, 0), gpu_fence = synth_op(5, OP_FENCE, 0, 0);
	gpu_fence.flags |= INSN_GPU_SCOPE;
	for (uint32_t i = 0; i < 10; i++) {
		random_list(s, synth_load(1, 4, 2), lanes, A, 1 << 11, random);
		synth_stride(s, synth_load(2, 5, 2), lanes, B + (cta + warp) * 128, 4);
		synth_stride(s, synth_memory(3, OP_STORE, SPACE_GLOBAL, 4, 3, 2), lanes, B + cta * 128, 4);
		synth_plain(s, i % 3 ? fence : gpu_fence, lanes);
		random_list(s, synth_load(6, 6, 2), lanes, A, 1 << 11, random);
		synth_plain(s, synth_op(7, OP_FP32, 4, 6), lanes);
	}
	leave(s, lanes);
}

static struct trace *fences(uint32_t size)
{
	return grid((struct synth_shape){"fences", 8, 4, size, 0, 0}, fence_body);
}

/* Anything, in any order: every class, every space, every flag, masks of no lane to all. */
static void anything_body(struct synth *s, uint64_t cta, uint32_t warp, uint64_t lanes, uint64_t *random)
{
	static const uint8_t spaces[] = {SPACE_GLOBAL, SPACE_GLOBAL,  SPACE_GLOBAL, SPACE_LOCAL,
	                                 SPACE_SHARED, SPACE_GENERIC, SPACE_TEXTURE};
	static const uint8_t widths[] = {1, 2, 4, 4, 8, 16};
	(void)cta, (void)warp;
	for (uint64_t left = synth_random(random) % 50; left; left--) {
		uint64_t r = synth_random(random), mask = r % 4 ? lanes : synth_random(random) & lanes;
		enum op_class op = (enum op_class)(r >> 8) % OP_COUNT;
		uint32_t at = (uint32_t)(r >> 16) % 400;
		uint8_t reg = (uint8_t)(4 + (r >> 32) % 40), from = (uint8_t)(4 + (r >> 40) % 40);
		if (r >> 50 & 1)
			op = OP_LOAD;
		if (op < OP_LOAD) {
			struct trace_insn insn =
			    synth_op(at, op, op == OP_BRANCH || op == OP_EXIT ? 0 : reg, from);
			insn.flags =
			    (uint16_t)(r >> 20 & (INSN_SETS_PREDICATE | INSN_USES_PREDICATE | INSN_GPU_SCOPE |
			                          INSN_DOUBLE_PASS | INSN_WRITES_UNIFORM));
			synth_plain(s, insn, r >> 51 & 7 ? mask : 0);
			continue;
		}
		uint8_t space =
		    op == OP_TEXTURE ? SPACE_TEXTURE : spaces[(r >> 24) % (op == OP_LOAD ? 7 : 5)];
		struct trace_insn insn =
		    synth_memory(at, op, (enum mem_space)space, widths[(r >> 28) % 6], reg, from);
		insn.flags |= (uint16_t)(r >> 20 & (INSN_BYPASS_L1 | INSN_CAS));
		uint64_t base = space == SPACE_SHARED ? 0 : space == SPACE_LOCAL ? LOCAL : A;
		if (r >> 51 & 1 && mask)
			random_list(s, insn, mask, base, space == SPACE_SHARED ? 1024 : 1 << 14, random);
		else if (mask)
			synth_stride(s, insn, mask, base + (r >> 40) % 4096 * 4, (int64_t)(r >> 52 & 63) * 4);
		else
			synth_plain(s, insn, 0);
	}
}

static struct trace *anything(uint32_t size)
{
	return grid((struct synth_shape){"anything", 30, 5, size, 4096, 64}, anything_body);
}

const struct synth_case synth_cases[] = {
    {"vector_add", vector_add},
    {"row_walk", row_walk},
    {"pointer_chase", pointer_chase},
    {"strided", strided},
    {"scattered_stores", scattered_stores},
    {"random_gather", random_gather},
    {"atomics_few", atomics_few},
    {"atomics_many", atomics_many},
    {"barriers_uneven", barriers_uneven},
    {"divergent", divergent},
    {"shared_conflicts", shared_conflicts},
    {"empty", empty},
    {"tiny_ctas", tiny_ctas},
    {"huge_cta", huge_cta},
    {"local_memory", local_memory},
    {"fences", fences},
    {"mbarriers", mbarriers},
    {"anything", anything},
    {NULL, NULL},
};

const struct trace *synth_kept(unsigned i, uint32_t warp_size)
{
	static struct trace *kept[2][sizeof synth_cases / sizeof *synth_cases];
	struct trace **trace = &kept[warp_size == 64][i];
	/* Sanitizers take ten times as long: they get a third of the CTAs, as few as they are for an SM in any case. */
	ctas_for_one = getenv("SLUICE_TEST_SHARE") ? 3 : 1;
	if (!*trace)
		*trace = synth_cases[i].make(warp_size);
	ctas_for_one = 1;
	return *trace;
}

unsigned synth_case_count(void)
{
	return sizeof synth_cases / sizeof *synth_cases - 1;
}

struct trace *synth_make(const char *name, uint32_t warp_size)
{
	const struct synth_case *c = synth_cases;
	while (strcmp(c->name, name))
		c++;
	return c->make(warp_size);
}
