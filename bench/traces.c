/*
 * Small synthetic traces for bench/run, each with one way to spend time.
 *
 *	bench-traces FOLDER
 *
 * writes FOLDER/NAME.sluice for every program below. They depend on nothing
 * but this file, so counts of host instructions can be compared over years.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

enum { LINE = 128, NONE = TRACE_REG_NONE };
#define FULL 0xffffffffu

static const uint64_t region_a = 0x7f0000000000, region_b = 0x7f1000000000, region_c = 0x7f2000000000;

struct bench {
	struct trace_writer *writer;
	struct error err;
	uint64_t random;
};

static _Noreturn void fail(const struct bench *b)
{
	fprintf(stderr, "bench-traces: %s\n", b->err.text);
	exit(1);
}

static uint64_t next_random(struct bench *b)
{
	b->random ^= b->random << 13;
	b->random ^= b->random >> 7;
	b->random ^= b->random << 17;
	return b->random;
}

/* ---- instructions ------------------------------------------------------------------------------------------ */

/* Registers: dst, then two sources; TRACE_REG_NONE: none. */
static uint32_t insn(struct bench *b, uint64_t pc, enum op_class op, const char *mnemonic, int dst, int src0,
                     int src1)
{
	struct trace_insn i = {.pc = pc, .op = (uint8_t)op, .dst = TRACE_REG_NONE};
	if (dst != TRACE_REG_NONE) {
		i.dst = (uint8_t)dst;
		i.dst_span = 1;
	}
	const int src[] = {src0, src1};
	for (int k = 0; k < 2; k++)
		if (src[k] != TRACE_REG_NONE) {
			i.src[i.src_count] = (uint8_t)src[k];
			i.src_span[i.src_count++] = 1;
		}
	if (op == OP_LOAD || op == OP_STORE) {
		i.flags = INSN_MEMORY;
		i.space = mnemonic[2] == 'S' ? SPACE_SHARED : SPACE_GLOBAL;
		i.width_bytes = 4;
	}
	if (op == OP_BRANCH)
		i.flags = INSN_USES_PREDICATE;
	if (!strncmp(mnemonic, "ISETP", 5))
		i.flags = INSN_SETS_PREDICATE;
	return trace_writer_insn(b->writer, &i, mnemonic);
}

static void step(struct bench *b, uint32_t i)
{
	if (!trace_writer_step(b->writer, i, FULL, NULL, &b->err))
		fail(b);
}

static void access_lanes(struct bench *b, uint32_t i, uint64_t mask, uint64_t base, int64_t stride)
{
	if (!trace_writer_step_stride(b->writer, i, mask, base, stride, &b->err))
		fail(b);
}

/* ---- programs: one warp each ------------------------------------------------------------------------------- */

/* Streams through memory: two loads, an add, a store, nothing used twice. */
static void vectoradd(struct bench *b, uint64_t warp)
{
	step(b, insn(b, 0x00, OP_SREG, "S2R", 0, NONE, NONE));
	step(b, insn(b, 0x10, OP_SREG, "S2R", 1, NONE, NONE));
	step(b, insn(b, 0x20, OP_IMAD, "IMAD", 0, 0, 1));
	step(b, insn(b, 0x30, OP_IMAD, "IMAD.WIDE", 2, 0, NONE));
	step(b, insn(b, 0x40, OP_IMAD, "IMAD.WIDE", 4, 0, NONE));
	access_lanes(b, insn(b, 0x50, OP_LOAD, "LDG.E", 6, 2, NONE), FULL, region_a + warp * LINE, 4);
	access_lanes(b, insn(b, 0x60, OP_LOAD, "LDG.E", 7, 4, NONE), FULL, region_b + warp * LINE, 4);
	step(b, insn(b, 0x70, OP_IMAD, "IMAD.WIDE", 8, 0, NONE));
	step(b, insn(b, 0x80, OP_FP32, "FADD", 9, 6, 7));
	access_lanes(b, insn(b, 0x90, OP_STORE, "STG.E", NONE, 8, 9), FULL, region_c + warp * LINE, 4);
	step(b, insn(b, 0xa0, OP_EXIT, "EXIT", NONE, NONE, NONE));
}

static void loop_end(struct bench *b)
{
	step(b, insn(b, 0x80, OP_INT, "IADD3", 10, 10, NONE));
	step(b, insn(b, 0x90, OP_INT, "ISETP.NE.AND", NONE, 10, NONE));
	step(b, insn(b, 0xa0, OP_BRANCH, "BRA", NONE, NONE, NONE));
}

/* Every lane walks its own row: 32 lines per load, which the next iterations use again. */
static void rowwalk(struct bench *b, uint64_t warp)
{
	for (uint64_t j = 0; j < 64; j++) {
		access_lanes(b, insn(b, 0x00, OP_LOAD, "LDG.E", 4, 2, NONE), FULL,
		             region_a + warp * 32 * 16384 + j * 4, 16384);
		access_lanes(b, insn(b, 0x10, OP_LOAD, "LDG.E", 5, 6, NONE), FULL, region_b + j * 4, 0);
		step(b, insn(b, 0x20, OP_FP32, "FFMA", 9, 4, 5));
		loop_end(b);
	}
	step(b, insn(b, 0xb0, OP_EXIT, "EXIT", NONE, NONE, NONE));
}

/* Every lane stores to a place of its own, anywhere in 16 MB. */
static void scatter(struct bench *b, uint64_t warp)
{
	(void)warp;
	uint32_t store = insn(b, 0x20, OP_STORE, "STG.E", NONE, 4, 5);
	for (int j = 0; j < 32; j++) {
		uint64_t address[32];
		for (int lane = 0; lane < 32; lane++)
			address[lane] = region_a + next_random(b) % (16u << 20) / 4 * 4;
		step(b, insn(b, 0x00, OP_IMAD, "IMAD", 4, 4, 5));
		step(b, insn(b, 0x10, OP_INT, "LOP3.LUT", 4, 4, NONE));
		if (!trace_writer_step(b->writer, store, FULL, address, &b->err))
			fail(b);
		loop_end(b);
	}
	step(b, insn(b, 0xb0, OP_EXIT, "EXIT", NONE, NONE, NONE));
}

/* Two chains of multiply-adds, no memory. */
static void compute(struct bench *b, uint64_t warp)
{
	(void)warp;
	for (int j = 0; j < 16; j++) {
		for (int k = 0; k < 4; k++) {
			step(b, insn(b, 0x00 + (uint64_t)k * 32, OP_FP32, "FFMA", 4, 4, 5));
			step(b, insn(b, 0x10 + (uint64_t)k * 32, OP_FP32, "FFMA", 6, 6, 5));
		}
		loop_end(b);
	}
	step(b, insn(b, 0xb0, OP_EXIT, "EXIT", NONE, NONE, NONE));
}

/* Tiles in shared memory: write, wait, read what others wrote, wait. Every other read has bank conflicts. */
static void shared(struct bench *b, uint64_t warp)
{
	uint64_t at = warp % 8 * LINE;
	for (int j = 0; j < 24; j++) {
		access_lanes(b, insn(b, 0x00, OP_STORE, "STS", NONE, 2, 9), FULL, at, 4);
		step(b, insn(b, 0x10, OP_BARRIER, "BAR.SYNC", NONE, NONE, NONE));
		access_lanes(b, insn(b, 0x20, OP_LOAD, "LDS", 4, 3, NONE), FULL, (at + LINE) % 1024, 4);
		access_lanes(b, insn(b, 0x30, OP_LOAD, "LDS", 5, 3, NONE), FULL, at % 512, 16);
		step(b, insn(b, 0x40, OP_FP32, "FFMA", 9, 4, 5));
		step(b, insn(b, 0x50, OP_BARRIER, "BAR.SYNC", NONE, NONE, NONE));
		loop_end(b);
	}
	step(b, insn(b, 0xb0, OP_EXIT, "EXIT", NONE, NONE, NONE));
}

/* One lane follows pointers through memory: hardly anything happens per cycle. */
static void chase(struct bench *b, uint64_t warp)
{
	(void)warp;
	uint32_t load = insn(b, 0x00, OP_LOAD, "LDG.E", 4, 4, NONE);
	for (int j = 0; j < 64; j++) {
		access_lanes(b, load, 1, region_a + next_random(b) % (64u << 20) / LINE * LINE, 0);
		loop_end(b);
	}
	step(b, insn(b, 0xb0, OP_EXIT, "EXIT", NONE, NONE, NONE));
}

static const struct program {
	const char *name;
	void (*warp)(struct bench *b, uint64_t warp);
	uint32_t ctas, warps_per_cta, shared_bytes;
} programs[] = {
    {"vectoradd", vectoradd, 1320, 8, 0}, {"rowwalk", rowwalk, 132, 2, 0},  {"scatter", scatter, 132, 4, 0},
    {"compute", compute, 132, 4, 0},      {"shared", shared, 132, 8, 1024}, {"chase", chase, 132, 2, 0},
};

static void write_program(const struct program *p, const char *folder)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s.sluice", folder, p->name);
	struct bench b = {.random = 0x9e3779b97f4a7c15};
	b.writer = trace_writer_new(path, &b.err);
	const struct trace_kernel kernel = {.name = p->name,
	                                    .id = 1,
	                                    .grid = {p->ctas, 1, 1},
	                                    .block = {p->warps_per_cta * 32, 1, 1},
	                                    .warp_size = 32,
	                                    .warps_per_cta = p->warps_per_cta,
	                                    .registers_per_thread = 32,
	                                    .shared_bytes = p->shared_bytes,
	                                    .binary_version = 90};
	if (!b.writer || !trace_writer_begin_kernel(b.writer, &kernel, &b.err))
		fail(&b);
	for (uint32_t cta = 0; cta < p->ctas; cta++) {
		if (!trace_writer_begin_cta(b.writer, cta, &b.err))
			fail(&b);
		for (uint32_t warp = 0; warp < p->warps_per_cta; warp++) {
			if (!trace_writer_begin_warp(b.writer, warp, &b.err))
				fail(&b);
			p->warp(&b, (uint64_t)cta * p->warps_per_cta + warp);
		}
		if (!trace_writer_end_cta(b.writer, &b.err))
			fail(&b);
	}
	if (!trace_writer_end_kernel(b.writer, &b.err) || !trace_writer_finish(b.writer, &b.err))
		fail(&b);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: bench-traces FOLDER\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		write_program(&programs[i], argv[1]);
	return 0;
}
